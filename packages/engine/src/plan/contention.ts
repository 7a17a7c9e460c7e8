import { plainPath } from '../core/paths.ts';
import { placesOf } from '../core/places.ts';
import { quoted } from '../core/task-issues/received.ts';
import { authorRow } from '../core/task-issues/review-issues.ts';
import { firstByKey, type Row } from '../core/task-issues/row.ts';
import type { Finding } from './finding.ts';
import { isPath } from './path-issues.ts';
import { type PathTree, pathTree } from './path-tree.ts';

/** So many entries are named; the rest is counted. */
const MOST_NAMED = 1_000;

/** One entry of what a task may write, and where that may be. */
export interface WriteClaim {
  readonly row: Row;
  readonly field: 'writes' | 'must_produce';
  readonly item: number;
  readonly path: string;
  readonly places: readonly string[];
}

interface ClaimOptions {
  readonly byKey: ReadonlyMap<string, Row>;
  readonly fold: (path: string) => string;
}

/** What a row says that it writes. A row that says nothing claims nothing, and neither does one that reviews a live row. */
export function writeClaims(row: Row, { byKey, fold }: ClaimOptions): WriteClaim[] {
  const { raw } = row;
  if (!raw || authorRow(row, byKey)) return [];
  // A letter may have another small form beside a bracket than in the name that is meant.
  const placesIn = (path: string, field: WriteClaim['field']) =>
    field === 'writes' ? placesOf(path.normalize('NFC')).map(fold) : [fold(plainPath(path))];
  return (['writes', 'must_produce'] as const).flatMap((field) => {
    const list: readonly unknown[] = Array.isArray(raw[field]) ? raw[field] : [];
    return list.flatMap((path, item) =>
      isPath(path, field === 'writes')
        ? { row, field, item, path, places: placesIn(path, field) }
        : [],
    );
  });
}

/**
 * Entries by which a task may write into what an earlier task of the list, in the same wave, may write: the same
 * path, a folder and what is in it, or a pattern and what is in the folder before its first wildcard.
 */
export function* contentionFindings(
  rows: readonly Row[],
  fold: (path: string) => string,
): Generator<Finding> {
  const byKey = firstByKey(rows);
  let found = 0;
  for (const wave of waves(rows)) {
    const tree = pathTree<WriteClaim>();
    for (const row of wave.length > 1 ? wave : []) {
      const claims = writeClaims(row, { byKey, fold });
      for (const [claim, other] of contended(claims, tree)) {
        found += 1;
        if (found <= MOST_NAMED) yield finding(claim, other);
      }
      for (const claim of claims) for (const place of claim.places) tree.add(place, claim);
    }
  }
  if (found > MOST_NAMED) yield uncounted(found - MOST_NAMED);
}

function waves(rows: readonly Row[]): Iterable<readonly Row[]> {
  const found = new Map<number, Row[]>();
  for (const row of rows) {
    if (!row.live || row.group === undefined) continue;
    const wave = found.get(row.group);
    if (wave) wave.push(row);
    else found.set(row.group, [row]);
  }
  return found.values();
}

/** Claims of one row, each with the first one of an earlier row that it overlaps with. */
function* contended(
  claims: readonly WriteClaim[],
  tree: PathTree<WriteClaim>,
): Generator<readonly [WriteClaim, WriteClaim]> {
  const told = new Set<Row>();
  for (const claim of claims) {
    const other = firstTouching(tree, claim);
    if (!other) continue;
    // What must be produced is written, too, and once is enough to tell.
    if (claim.field === 'writes') told.add(other.row);
    else if (told.has(other.row)) continue;
    yield [claim, other];
  }
}

function firstTouching(tree: PathTree<WriteClaim>, { places }: WriteClaim): WriteClaim | undefined {
  for (const place of places) for (const claim of tree.touching(place)) return claim;
  return undefined;
}

function finding({ row, field, item, path }: WriteClaim, other: WriteClaim): Finding {
  return {
    code: 'write-contention',
    at: ['tasks', row.index, field, item],
    taskId: row.key,
    message: `${row.label} may write ${quoted(path)} in parallel_group ${row.group}, and ${other.row.label} beside it ${quoted(other.path)}`,
    fix: 'Move one of them to another parallel_group, or give them separate paths; a pattern counts as the folder before its first wildcard.',
  };
}

const uncounted = (more: number): Finding => ({
  code: 'write-contention',
  at: ['tasks'],
  message: `${more} more entries may write what another task of the same parallel_group writes`,
  fix: 'Mend those that are named first, in the same way.',
});
