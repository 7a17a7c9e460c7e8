import { printable } from '@atelier/envelope';

const MOST_NAMES = 10;
const LONGEST_NAME = 100;

/** The first few of many foreign names, on one line, and how many there are beside them. */
export function shownNames(names: readonly string[]): string {
  const first = names.slice(0, MOST_NAMES).map((name) => printable(name, LONGEST_NAME));
  const more = names.length - first.length;
  return more > 0 ? `${first.join(', ')} and ${more} more` : first.join(', ');
}
