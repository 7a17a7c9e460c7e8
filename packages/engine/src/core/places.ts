import { caseless, plainPath } from './paths.ts';

/** What makes a part of an entry of `writes` more than a name, as the write scope reads it. */
const WILD = /[*?[\]{}\\]/u;

export const isPattern = (entry: string): boolean => WILD.test(entry);

/** Where the first wildcard of an entry stands, or -1. */
export const firstWildcard = (entry: string): number => entry.search(WILD);

/** The texts of its own that a pattern has between its wildcards. */
export const literalsOf = (pattern: string): readonly string[] => pattern.split(WILD);

/** Beyond so many spellings a pattern with brackets counts as its folder. */
const MOST_SPELLINGS = 64;

/** So many characters an entry has in all of its spellings: a long one has fewer of them. */
const MOST_SPELLED = 8_192;

/**
 * Where the files are that an entry of `writes` may cover: the entry itself, or the folder before its first wildcard,
 * the empty path for the whole repository. Brackets without a range are spelled out, so that `app/[id]/page.tsx`, a
 * file name to many, does not claim all of `app`. Linear in the entry.
 */
export function placesOf(entry: string): readonly string[] {
  const path = plainPath(entry);
  if (!isPattern(path)) return [path];
  const most = Math.max(1, Math.min(MOST_SPELLINGS, Math.floor(MOST_SPELLED / path.length)));
  let places = [''];
  for (const part of path.split('/')) {
    const spelled = isPattern(part) ? spellings(part, most) : [part];
    if (!spelled || places.length * spelled.length > most) break;
    places = places.flatMap((place) => spelled.map((one) => `${place}${one}/`));
  }
  return places.map((place) => place.slice(0, -1));
}

/**
 * Where the file is that a task reads or must produce, or that work has changed: such an entry is a name, brackets and
 * all. Only of a star, which no accepted plan has there, nobody knows the end.
 */
export const placesOfName = (name: string): readonly string[] =>
  name.includes('*') ? placesOf(name) : [plainPath(name)];

/** All names that a part with plain brackets covers, itself among them; undefined for more, and for any other pattern. */
function spellings(part: string, most: number): readonly string[] | undefined {
  if (/[*?{}\\]/u.test(part)) return undefined;
  let names = [''];
  let at = 0;
  for (;;) {
    const start = part.indexOf('[', at);
    // A bracket that comes first is in the class.
    const end = start < 0 ? -1 : part.indexOf(']', start + 2);
    if (end < 0) break;
    const members = [...part.slice(start + 1, end)];
    if (/^[!^]/u.test(members[0] ?? '') || members.includes('-')) return undefined;
    if (names.length * members.length > most) return undefined;
    const text = part.slice(at, start);
    names = names.flatMap((name) => members.map((member) => name + text + member));
    at = end + 1;
  }
  const rest = part.slice(at);
  return [...new Set([part, ...names.map((name) => name + rest)])];
}

/** Lists of paths, as a task has them. */
interface Listed {
  readonly reads?: readonly string[] | null;
  readonly writes?: readonly string[] | null;
  readonly must_produce?: readonly string[] | null;
}

/** The places that a task says it may change, each as it is compared. */
export function* writtenPlaces({ writes, must_produce }: Listed): Generator<string> {
  yield* compared(writes, placesOf);
  yield* compared(must_produce, placesOfName);
}

/** The places that a task says it reads, each as it is compared. */
export const readPlaces = ({ reads }: Listed): Generator<string> => compared(reads, placesOfName);

function* compared(
  list: readonly string[] | null | undefined,
  placesIn: (entry: string) => readonly string[],
): Generator<string> {
  // A letter may have another small form beside a bracket than in the name that is meant.
  for (const entry of list ?? [])
    for (const place of placesIn(entry.normalize('NFC'))) yield caseless(place);
}
