import { partsOf } from './paths.ts';

/** Who writes where, for those whose reads are known beforehand. Places are compared as they are spelled. */
export interface WriterIndex<T extends object> {
  /** Adds a writer with all of its places, behind those who were added before it. */
  add(places: Iterable<string>, writer: T): void;
  /** The lists of who writes one of the places, around it or in it. Each list is there once, but lists may share writers. */
  meeting(places: Iterable<string>): ReadonlyMap<readonly T[], string>;
}

/** A place on the way to one that is read. */
interface Node<T> {
  inside: Map<string, Node<T>> | undefined;
  isRead: boolean;
  /** Who writes exactly here. */
  here: T[] | undefined;
  /** Who writes below a place that is read. */
  below: T[] | undefined;
}

/** Linear in the parts of the places, and in no case in pairs: a list is handed out and not walked. */
export function writerIndex<T extends object>(
  reads: readonly (readonly string[])[],
): WriterIndex<T> {
  const root = node<T>();
  for (const place of reads.flat()) {
    let at = root;
    for (const part of partsOf(place)) {
      at.inside ??= new Map();
      let next = at.inside.get(part);
      if (!next) {
        next = node();
        at.inside.set(part, next);
      }
      at = next;
    }
    at.isRead = true;
  }
  return {
    add(places, writer) {
      for (const place of places) addAt(root, place, writer);
    },
    meeting(places) {
      const lists = new Map<readonly T[], string>();
      for (const place of places) {
        let at: Node<T> | undefined = root;
        if (at.here) lists.set(at.here, place);
        for (const part of partsOf(place)) {
          at = at.inside?.get(part);
          if (!at) break;
          if (at.here) lists.set(at.here, place);
        }
        if (at?.below) lists.set(at.below, place);
      }
      return lists;
    },
  };
}

const node = <T>(): Node<T> => ({
  ...{ inside: undefined, isRead: false, here: undefined, below: undefined },
});

function addAt<T>(root: Node<T>, place: string, writer: T): void {
  let at = root;
  for (let from = 0; place !== '' && from <= place.length; ) {
    if (at.isRead) at.below = withLast(at.below, writer);
    const slash = place.indexOf('/', from);
    const until = slash < 0 ? place.length : slash;
    const next = at.inside?.get(place.slice(from, until));
    // Nothing that is read is there, or in it: most paths are not taken apart any further.
    if (!next) return;
    at = next;
    from = until + 1;
  }
  at.here = withLast(at.here, writer);
}

/** One task may name a place, or a folder's files, more than once. */
function withLast<T>(list: T[] | undefined, writer: T): T[] {
  if (!list) return [writer];
  if (list.at(-1) !== writer) list.push(writer);
  return list;
}
