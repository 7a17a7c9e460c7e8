import { glob, isGlob } from './glob.ts';

/** One `./a//b/` as `a/b`; empty when it names nothing below the root. Bytes stay bytes: no case or Unicode folding. */
export function plainPath(path: string): string {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  return path.startsWith('/') || parts.includes('..') ? '' : parts.join('/');
}

/** Whether `path` is the entry or lies below it. */
export const isWithin = (path: string, entry: string): boolean =>
  path === entry || path.startsWith(`${entry}/`);

/** One entry of `writes`, compiled. */
export interface PathEntry {
  /** Covers the path: by name, as a folder above it, or as a pattern. */
  covers(path: string): boolean;
  /** The path’s segment is written out in the entry, not reached by a pattern. */
  spells(path: string, segment: string): boolean;
}

/** A name that holds `[` is tried as it is before it is taken for a pattern. */
export function pathEntry(text: string): PathEntry {
  const entry = plainPath(text);
  if (entry === '') return { covers: () => false, spells: () => false };
  // Only a trailing slash makes a pattern one for folders: `src/*` is not to mean `src/**`.
  const pattern = text.endsWith('/') ? `${entry}{,/**}` : entry;
  const matches = isGlob(entry) ? glob(pattern) : () => false;
  const segments = entry.split('/');
  return {
    covers: (path) => isWithin(path, entry) || matches(path),
    spells: (path, segment) =>
      segments.includes(segment) && (isWithin(path, entry) || !isGlob(segment)),
  };
}
