import { plainPaths } from '../core/edges.ts';
import { quoted } from '../core/task-issues/received.ts';
import { authorRow } from '../core/task-issues/review-issues.ts';
import type { Row } from '../core/task-issues/row.ts';
import type { Finding } from './finding.ts';

/**
 * More pairs of a reader and an earlier writer of one path than a plan may have. They are counted and not made: in a
 * chain in which everyone reads and writes one file their number grows with the square of the tasks.
 */
export function* impliedEdgeFindings(
  rows: readonly Row[],
  byKey: ReadonlyMap<string, Row>,
  { impliedEdges }: { readonly impliedEdges: number },
): Generator<Finding> {
  const groups = writersByPath(rows);
  const pairs = new Map<string, number>();
  let all = 0;
  for (const row of rows) {
    const group = rank(authorRow(row, byKey) ?? row);
    for (const path of pathsOf(row.raw?.reads)) {
      const earlier = countBelow(groups.get(path) ?? [], group);
      if (earlier === 0) continue;
      pairs.set(path, (pairs.get(path) ?? 0) + earlier);
      all += earlier;
    }
  }
  if (all <= impliedEdges) return;
  const [most] = [...pairs].reduce((one, other) => (other[1] > one[1] ? other : one));
  yield {
    code: 'over-cap',
    at: ['tasks'],
    message: `tasks read what earlier tasks write ${all} times in all, more than ${impliedEdges}, most often ${quoted(most)}`,
    fix: 'Give each writer a file of its own and let one task gather them for the readers, or split the plan.',
  };
}

/** The groups of those who write each path, lowest first. */
function writersByPath(rows: readonly Row[]): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  for (const row of [...rows].sort((one, other) => rank(one) - rank(other) || 0))
    for (const path of new Set(pathsOf(row.raw?.writes, row.raw?.must_produce)))
      groups.get(path)?.push(rank(row)) ?? groups.set(path, [rank(row)]);
  return groups;
}

/** A row without a group counts as earlier than every group. */
const rank = ({ group }: Row): number => group ?? Number.NEGATIVE_INFINITY;

function* pathsOf(...lists: readonly unknown[]): Generator<string> {
  for (const list of lists)
    if (Array.isArray(list)) yield* plainPaths(list.filter((path) => typeof path === 'string'));
}

function countBelow(sorted: readonly number[], limit: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? limit) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
