import { readPlaces, writtenPlaces } from '../core/places.ts';
import { byGroup, countBelow, rank } from '../core/task-issues/by-group.ts';
import { quoted } from '../core/task-issues/received.ts';
import { authorRow } from '../core/task-issues/review-issues.ts';
import type { Row } from '../core/task-issues/row.ts';
import { writerIndex } from '../core/writer-index.ts';
import type { Finding } from './finding.ts';
import { isPath } from './path-issues.ts';

/**
 * More pairs of a reader and an earlier writer of what it reads than a plan may have. They are counted and not made: in a
 * chain in which everyone reads and writes one file their number grows with the square of the tasks. Who names
 * both a folder and something in it may count twice.
 */
export function* impliedEdgeFindings(
  rows: readonly Row[],
  byKey: ReadonlyMap<string, Row>,
  { impliedEdges }: { readonly impliedEdges: number },
): Generator<Finding> {
  const reads = rows.map(({ raw }) => [...readPlaces({ reads: pathsIn(raw?.reads) })]);
  const writers = writerIndex<Row>(reads);
  for (const row of byGroup(rows))
    writers.add(
      writtenPlaces({
        writes: pathsIn(row.raw?.writes, true),
        must_produce: pathsIn(row.raw?.must_produce),
      }),
      row,
    );
  const pairs = new Map<string, number>();
  let all = 0;
  for (const [at, row] of rows.entries()) {
    const group = rank(authorRow(row, byKey) ?? row);
    for (const [list, place] of writers.meeting(reads[at] ?? [])) {
      const earlier = countBelow(list, group);
      if (earlier === 0) continue;
      pairs.set(place, (pairs.get(place) ?? 0) + earlier);
      all += earlier;
    }
  }
  if (all <= impliedEdges || all === 0) return;
  const [most] = [...pairs].reduce((one, other) => (other[1] > one[1] ? other : one));
  yield {
    code: 'over-cap',
    at: ['tasks'],
    message: `tasks read what earlier tasks write ${all} times in all, more than ${impliedEdges}, most often ${quoted(most)}`,
    fix: 'Give each writer a file of its own and let one task gather them for the readers, or split the plan.',
  };
}

/** What is refused as a path is looked at no further. */
const pathsIn = (list: unknown, globs = false): readonly string[] =>
  Array.isArray(list) ? list.filter((path) => isPath(path, globs)) : [];
