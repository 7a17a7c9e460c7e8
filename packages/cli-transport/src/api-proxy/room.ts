/** How many bytes may be held at once. */
export interface Room {
  /** False when they do not fit; nothing is taken then. */
  take(bytes: number): boolean;
  give(bytes: number): void;
}

/** A room, within another one if there is one. */
export function room(size: number, around?: Room): Room {
  let left = size;
  return {
    take(bytes) {
      if (bytes > left || around?.take(bytes) === false) return false;
      left -= bytes;
      return true;
    },
    give(bytes) {
      left += bytes;
      around?.give(bytes);
    },
  };
}
