/** Places as sorted texts of which none begins with another: a place ends with a slash, and the root is empty. */
type Outermost = readonly string[];

/** By the list itself, which nobody changes: a task is compared with many. */
const known = new WeakMap<readonly string[], Outermost>();

/** Those of the places that are in none of the others. */
export function outermost(places: readonly string[]): Outermost {
  const before = known.get(places);
  if (before) return before;
  const kept: string[] = [];
  for (const text of places.map((place) => (place === '' ? '' : `${place}/`)).sort()) {
    const last = kept.at(-1);
    // What begins with a text comes right behind it.
    if (last === undefined || !text.startsWith(last)) kept.push(text);
  }
  known.set(places, kept);
  return kept;
}

/** Whether a place of one is, holds, or is in a place of the other. Never looks at all pairs. */
export function touchAny(a: Outermost, b: Outermost): boolean {
  const [few, many] = a.length <= b.length ? [a, b] : [b, a];
  let from = 0;
  for (const text of few) {
    from = firstFrom(many, text, from);
    // What begins with it comes first among what is not before it, and what it begins with right before that.
    if (many[from]?.startsWith(text)) return true;
    const around = many[from - 1];
    if (around !== undefined && text.startsWith(around)) return true;
  }
  return false;
}

function firstFrom(sorted: Outermost, text: string, start: number): number {
  let [from, to] = [start, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sorted[middle] ?? '') < text) from = middle + 1;
    else to = middle;
  }
  return from;
}
