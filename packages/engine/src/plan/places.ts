import { plainPaths } from '../core/edges.ts';

/** What makes a part of a path more than a name to the write scope of a task. */
const WILD = /[*?[\]{}\\]/u;

/** Beyond so many spellings a pattern with brackets counts as its folder. */
const MOST_SPELLINGS = 64;

/**
 * Where the files are that an entry of `writes` may cover: the entry itself, or the folder before its first wildcard,
 * the empty path for the whole repository. Brackets without a range are spelled out, so that `app/[id]/page.tsx`, a
 * file name to many, does not claim all of `app`.
 */
export function placesOf(entry: string): readonly string[] {
  const [path = ''] = plainPaths([entry]);
  if (!WILD.test(path)) return [path];
  let places: string[][] = [[]];
  for (const part of path.split('/')) {
    const spelled = WILD.test(part) ? spellings(part) : [part];
    if (!spelled || places.length * spelled.length > MOST_SPELLINGS) break;
    places = places.flatMap((place) => spelled.map((one) => [...place, one]));
  }
  return places.map((place) => place.join('/'));
}

/** The text before the first wildcard of an entry: what every path that it covers begins with. */
export function beginningOf(entry: string): string {
  const [path = ''] = plainPaths([entry]);
  const wild = path.search(WILD);
  return wild < 0 ? path : path.slice(0, wild);
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
