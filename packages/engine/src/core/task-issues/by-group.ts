import type { Row } from './row.ts';

/** A row without a group counts as earlier than every group. */
export const rank = ({ group }: Row): number => group ?? Number.NEGATIVE_INFINITY;

/** The rows by group, those of one group in their order. */
export const byGroup = (rows: readonly Row[]): readonly Row[] =>
  [...rows].sort((one, other) => rank(one) - rank(other) || 0);

/** How many of the rows, which come by group, are of an earlier group. */
export function countBelow(sorted: readonly Row[], group: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const row = sorted[middle];
    if (row && rank(row) < group) low = middle + 1;
    else high = middle;
  }
  return low;
}
