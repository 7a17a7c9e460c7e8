import { caseless, plainPath } from './paths.ts';

/** What makes a part of an entry of `writes` more than a name, as the write scope reads it. */
const WILD = /[*?[\]{}\\]/u;

export const isPattern = (entry: string): boolean => WILD.test(entry);

/** Where the first wildcard of an entry stands, or -1. */
export const firstWildcard = (entry: string): number => entry.search(WILD);

/** Beyond so many spellings a pattern with brackets counts as its folder. */
const MOST_SPELLINGS = 64;

/**
 * Where the files are that an entry of `writes` may cover: the entry itself, or the folder before its first wildcard,
 * the empty path for the whole repository. Brackets without a range are spelled out, so that `app/[id]/page.tsx`, a
 * file name to many, does not claim all of `app`.
 */
export function placesOf(entry: string): readonly string[] {
  const path = plainPath(entry);
  if (!isPattern(path)) return [path];
  let places: string[][] = [[]];
  for (const part of path.split('/')) {
    const spelled = isPattern(part) ? spellings(part) : [part];
    if (!spelled || places.length * spelled.length > MOST_SPELLINGS) break;
    places = places.flatMap((place) => spelled.map((one) => [...place, one]));
  }
  return places.map((place) => place.join('/'));
}

/** All names that a part with plain brackets covers, itself among them; undefined for any other pattern. */
function spellings(part: string): readonly string[] | undefined {
  if (/[*?{}\\]/u.test(part)) return undefined;
  let names = [''];
  for (let at = 0; at < part.length; ) {
    // A bracket that comes first is in the class.
    const end = part[at] === '[' ? part.indexOf(']', at + 2) : -1;
    const members = end < 0 ? [part[at] ?? ''] : [...part.slice(at + 1, end)];
    if (end >= 0 && (/^[!^]/u.test(members[0] ?? '') || members.includes('-'))) return undefined;
    if (names.length * members.length > MOST_SPELLINGS) return undefined;
    names = names.flatMap((name) => members.map((member) => name + member));
    at = end < 0 ? at + 1 : end + 1;
  }
  return [...new Set([part, ...names])];
}

/** Lists of paths, as a task has them. */
interface Listed {
  readonly reads?: readonly string[] | null;
  readonly writes?: readonly string[] | null;
  readonly must_produce?: readonly string[] | null;
}

/** The places that a task says it may change, each as it is compared. */
export function* writtenPlaces({ writes, must_produce }: Listed): Generator<string> {
  for (const entry of writes ?? [])
    for (const place of placesOf(entry.normalize('NFC'))) yield caseless(place);
  for (const name of must_produce ?? []) yield* namedPlaces(name);
}

/** The places that a task says it reads, each as it is compared. */
export function* readPlaces({ reads }: Listed): Generator<string> {
  for (const name of reads ?? []) yield* namedPlaces(name);
}

/** What is read or produced is named, brackets and all; only of a star, which no accepted plan has there, nobody knows the end. */
function* namedPlaces(name: string): Generator<string> {
  if (!name.includes('*')) yield caseless(plainPath(name));
  else for (const place of placesOf(name.normalize('NFC'))) yield caseless(place);
}
