/** Longer names are nobody's typing mistake, and comparing them would cost. */
const LONGEST = 40;

/** The known name that a mistyped one probably stands for; case, `-` and `_` do not count. */
export function closestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > LONGEST) return undefined;
  const typed = folded(name);
  const allowed = Math.max(1, Math.floor(typed.length / 3));
  let best: string | undefined;
  let least = allowed + 1;
  for (const candidate of known) {
    const target = folded(candidate);
    if (Math.abs(target.length - typed.length) >= least) continue;
    const edits = distance(typed, target);
    if (edits < least) [best, least] = [candidate, edits];
  }
  return best;
}

const folded = (name: string): string => name.toLowerCase().replace(/[-_ ]/gu, '');

/** Insertions, deletions, replacements and swaps of neighbours that turn one text into the other. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        (above[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (same ? 0 : 1),
        swapped && row > 1 && column > 1 ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, above] = [above, current];
  }
  return above[b.length] ?? 0;
}
