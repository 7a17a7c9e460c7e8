import { printable } from '@atelier/envelope';
import { cycles } from './cycles.ts';
import { type Link, linksOf } from './link.ts';
import { type Row, rowIssue } from './row.ts';
import type { TaskIssue } from './task-issue.ts';

/** Names shown of one cycle; the rest is counted. */
const SHOWN = 12;

/** One issue for each knot of live rows that wait for each other, with a way around it. */
export function* cycleIssues(
  rows: readonly Row[],
  byKey: ReadonlyMap<string, Row>,
): Generator<TaskIssue> {
  const graph = rows.map((row) => (row.live ? [...successors(row, byKey)] : []));
  for (const cycle of cycles(graph)) {
    const path = cycle.flatMap((index) => rows[index] ?? []);
    const [first, second] = path;
    const link = first && second && linkBetween(first, second);
    if (!link) continue;
    const { field, item } = link;
    yield rowIssue(first, {
      code: 'cycle',
      field,
      ...(item === undefined ? {} : { item }),
      message: `${first.label} waits for itself: ${trail(path, first)}`,
      fix: 'Remove one of these edges.',
    });
  }
}

function* successors(row: Row, byKey: ReadonlyMap<string, Row>): Generator<number> {
  for (const { upstream } of linksOf(row)) {
    const target = byKey.get(upstream);
    if (target?.live && target !== row) yield target.index;
  }
}

function linkBetween(from: Row, to: Row): Link | undefined {
  for (const link of linksOf(from)) if (link.upstream === to.key) return link;
  return undefined;
}

function trail(path: readonly Row[], first: Row): string {
  const names = path.slice(0, SHOWN).map(nameOf);
  if (path.length > SHOWN) names.push(`(${path.length - SHOWN} more)`);
  return [...names, nameOf(first)].join(' -> ');
}

const nameOf = (row: Row): string => printable(row.key ?? '', 60);
