import { partsOf } from '../core/paths.ts';

/** Values at paths, found again by whatever overlaps with their path. */
export interface PathTree<T extends object> {
  /** Puts a value at a path. The first one at a place stays; the empty path is the root. */
  add(path: string, value: T): void;
  /**
   * The first value at each folder above the path, then the first of those at the path or below it. A path overlaps
   * with nothing when there is none.
   */
  touching(path: string): Generator<T>;
}

interface Place<T> {
  inside: Map<string, Place<T>> | undefined;
  here: T | undefined;
  /** At this place or below it. */
  within: T | undefined;
}

/** Linear in the parts of its paths; never compares two of them. */
export function pathTree<T extends object>(): PathTree<T> {
  const root = place<T>();
  return {
    add(path, value) {
      let at = root;
      at.within ??= value;
      for (const part of partsOf(path)) {
        at.inside ??= new Map();
        const next = at.inside.get(part) ?? place<T>();
        at.inside.set(part, next);
        at = next;
        at.within ??= value;
      }
      at.here ??= value;
    },
    *touching(path) {
      let at = root;
      for (const part of partsOf(path)) {
        if (at.here) yield at.here;
        const next = at.inside?.get(part);
        if (!next) return;
        at = next;
      }
      if (at.within) yield at.within;
    },
  };
}

const place = <T>(): Place<T> => ({ inside: undefined, here: undefined, within: undefined });
