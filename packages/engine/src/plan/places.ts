import { plainPath } from '../core/paths.ts';
import { firstWildcard } from '../core/places.ts';

/** The text before the first wildcard of an entry: what every path that it covers begins with. */
export function beginningOf(entry: string): string {
  const path = plainPath(entry);
  const wild = firstWildcard(path);
  return wild < 0 ? path : path.slice(0, wild);
}
