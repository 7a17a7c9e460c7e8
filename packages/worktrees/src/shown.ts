const LONGEST = 300;
const MOST_NAMES = 8;

const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Foreign text for one line of a message: bounded, and what could move a cursor or hide text is escaped. */
export function shown(text: string, longest: number = LONGEST): string {
  // Cut before escaping: a megabyte of output is not worth the work.
  const points = [...text.slice(0, 2 * longest)];
  const cut = points.length > longest || text.length > 2 * longest;
  const safe = points
    .slice(0, longest)
    .join('')
    .replace(UNSAFE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
  return cut ? `${safe}…` : safe;
}

/** The first few of many foreign names, and how many there are beside them. */
export function shownNames(names: readonly string[]): string {
  const first = names.slice(0, MOST_NAMES).map((name) => shown(name, 100));
  const more = names.length - first.length;
  return more > 0 ? `${first.join(', ')} and ${more} more` : first.join(', ');
}
