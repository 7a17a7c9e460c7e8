import { readPlaces, writtenPlaces } from '../places.ts';
import { writerIndex } from '../writer-index.ts';
import { byGroup, countBelow } from './by-group.ts';
import { quoted } from './received.ts';
import { type Row, rowIssue } from './row.ts';
import type { TaskIssue } from './task-issue.ts';

/** A live row and the live row whose work it looks at. */
export interface Review {
  readonly row: Row;
  readonly author: Row;
}

interface Read {
  readonly item: number;
  readonly path: string;
  readonly places: readonly string[];
}

/**
 * Reads of reviewers that another task may write once their author has begun, and before their own group: they run with
 * the author, before anything else of its wave is merged. Paths meet as they do for implied edges: by name, folder or
 * pattern, whatever the case of the letters. Never looks at pairs.
 */
export function* lateReads(rows: readonly Row[], reviews: readonly Review[]): Generator<TaskIssue> {
  const reads = reviews.map(({ row }) => readsOf(row));
  if (reads.every((list) => list.length === 0)) return;
  const writers = writerIndex<Row>(reads.map((list) => list.flatMap(({ places }) => places)));
  for (const row of byGroup(rows)) {
    const [writes, must_produce] = [textsOf(row.raw?.writes), textsOf(row.raw?.must_produce)];
    if (row.live && row.group !== undefined)
      writers.add(writtenPlaces({ writes, must_produce }), row);
  }
  for (const [at, { row, author }] of reviews.entries()) {
    const { group: from } = author;
    const { group: until } = row;
    if (from === undefined || until === undefined) continue;
    for (const { item, path, places } of reads[at] ?? []) {
      const late = [...writers.meeting(places).keys()]
        .flatMap((list) => firstFrom(list, from, author) ?? [])
        .find(({ group = until }) => group < until);
      if (!late) continue;
      yield rowIssue(row, {
        code: 'not-later',
        field: 'reads',
        item,
        message: `${row.label} reads ${quoted(path)}, which ${late.label} may write in parallel_group ${late.group}, but it reviews ${author.label} and runs with it in parallel_group ${from}`,
        fix: `Move ${author.label} to a later group than ${late.label}, or do not read that path.`,
      });
    }
  }
}

/** The first of a group and the later ones that is somebody else. The author is in a list no more than once. */
function firstFrom(sorted: readonly Row[], group: number, author: Row): Row | undefined {
  const at = countBelow(sorted, group);
  return sorted[at] === author ? sorted[at + 1] : sorted[at];
}

function readsOf({ raw }: Row): readonly Read[] {
  const list: readonly unknown[] = Array.isArray(raw?.reads) ? raw.reads : [];
  return list.flatMap((path, item) =>
    typeof path === 'string' ? [{ item, path, places: [...readPlaces({ reads: [path] })] }] : [],
  );
}

const textsOf = (list: unknown): string[] =>
  Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
