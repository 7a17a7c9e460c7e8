import { type Link, linksOf } from './link.ts';
import { quoted } from './received.ts';
import { authorRow } from './review-issues.ts';
import { type Row, rowIssue } from './row.ts';
import type { TaskIssue } from './task-issue.ts';

/** Edges of live rows that lead nowhere, to the row itself, or to a task that does not run strictly earlier. */
export function* linkIssues(
  rows: readonly Row[],
  byKey: ReadonlyMap<string, Row>,
): Generator<TaskIssue> {
  for (const row of rows) {
    if (!row.live) continue;
    for (const link of linksOf(row)) {
      const defect = defectOf(row, link, byKey);
      if (!defect) continue;
      const { field, item } = link;
      yield rowIssue(row, { field, ...(item === undefined ? {} : { item }), ...defect });
    }
  }
}

function defectOf(
  row: Row,
  { field, upstream }: Link,
  byKey: ReadonlyMap<string, Row>,
): Pick<TaskIssue, 'code' | 'message' | 'fix'> | undefined {
  const target = byKey.get(upstream);
  const verb = field === 'reviews' ? 'reviews' : 'depends on';
  if (upstream === row.key) {
    return {
      code: 'self-dependency',
      message: `${row.label} ${verb} itself`,
      fix: 'Remove the edge, or name another task.',
    };
  }
  if (!target) {
    return {
      code: 'unknown-upstream',
      message: `${row.label} ${verb} ${quoted(upstream)}, which is not in the plan`,
      fix: 'Name a task of the plan, or remove the edge; ids are compared letter by letter.',
    };
  }
  // A closed upstream has already ended, so its wave says nothing.
  if (!target.live || row.group === undefined || target.group === undefined) return undefined;
  const author = authorRow(row, byKey);
  // A reviewer runs in the wave of its author, whatever later group it names.
  if (target === author) return target.group <= row.group ? undefined : notLater(row, verb, target);
  const group = author?.group ?? row.group;
  const theirs = authorRow(target, byKey)?.group ?? target.group;
  if (theirs < group) return undefined;
  return author
    ? {
        code: 'not-later',
        message: `${row.label} ${verb} ${target.label} in parallel_group ${theirs}, which is not earlier: it reviews ${author.label} and runs with it in parallel_group ${group}`,
        fix: `Move ${author.label} to parallel_group ${theirs + 1} or later, or remove the edge.`,
      }
    : notLater(row, verb, target);
}

const notLater = (
  row: Row,
  verb: string,
  target: Row,
): Pick<TaskIssue, 'code' | 'message' | 'fix'> => ({
  code: 'not-later',
  message: `${row.label} in parallel_group ${row.group} ${verb} ${target.label} in parallel_group ${target.group}, which is not earlier`,
  fix: `Move it to parallel_group ${Number(target.group) + 1} or later, or its upstream to an earlier one.`,
});
