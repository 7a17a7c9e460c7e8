import { taskKey } from '../task.ts';
import { lateReads, type Review } from './late-reads.ts';
import { quoted } from './received.ts';
import { isTaskId, type Row, rowIssue } from './row.ts';
import type { RawTask } from './task-fields.ts';
import type { TaskIssue } from './task-issue.ts';

type Defect = Pick<TaskIssue, 'code' | 'field' | 'message' | 'fix'>;

/** A reviewer is somebody else, looks and does not touch, and finds what it reads when its author is done. */
export function* reviewIssues(
  rows: readonly Row[],
  byKey: ReadonlyMap<string, Row>,
): Generator<TaskIssue> {
  const reviews: Review[] = [];
  for (const row of rows) {
    const author = authorRow(row, byKey);
    if (!author || !row.raw) continue;
    for (const defect of defectsOf(row, row.raw, author)) yield rowIssue(row, defect);
    reviews.push({ row, author });
  }
  yield* lateReads(rows, reviews);
}

/** The live row that a live row reviews. */
export function authorRow({ live, raw }: Row, byKey: ReadonlyMap<string, Row>): Row | undefined {
  if (!live || !isTaskId(raw?.reviews)) return undefined;
  const author = byKey.get(taskKey(raw.reviews));
  return author?.live && author.raw !== raw ? author : undefined;
}

function* defectsOf(row: Row, raw: RawTask, author: Row): Generator<Defect> {
  const persona = personaOf(raw);
  const theirs = personaOf(author.raw ?? {});
  if (persona === undefined || theirs === undefined || persona === theirs) {
    const who =
      persona !== undefined && persona === theirs
        ? `both are assigned to ${quoted(persona)}`
        : `${persona === undefined ? row.label : author.label} is assigned to nobody`;
    yield {
      code: 'reviewer-persona',
      field: 'reviews',
      message: `${row.label} reviews ${author.label}, and ${who}`,
      fix: 'Give the reviewer and the author each an assigned_persona; the two must differ.',
    };
  }
  if (isTaskId(author.raw?.reviews))
    yield {
      code: 'review-of-review',
      field: 'reviews',
      message: `${row.label} reviews ${author.label}, which is a review itself`,
      fix: 'Let both review the same author; one author may have several reviewers.',
    };
  for (const field of ['writes', 'must_produce', 'verify'] as const) {
    const given = raw[field];
    if (given === undefined || given === null || (Array.isArray(given) && given.length === 0))
      continue;
    yield {
      code: 'reviewer-writes',
      field,
      message: `${row.label} reviews ${author.label} and has ${field}, but a reviewer changes nothing`,
      fix: `Remove ${field}, or make it a task of its own without reviews.`,
    };
  }
}

function personaOf({ assigned_persona, assigned_to }: RawTask): string | undefined {
  const name = assigned_persona ?? assigned_to;
  return typeof name === 'string' && name.trim() !== '' ? name : undefined;
}
