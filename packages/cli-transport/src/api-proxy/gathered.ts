/** Bytes that come in pieces, in one buffer that grows: what they cost follows from the bytes, however small the pieces. */
export interface Gathered {
  /** False, now and from now on, when they are more than may be kept; none of them is kept any more then. */
  add(piece: Buffer): boolean;
  size(): number;
  /** A view, good until the next call. */
  bytes(): Buffer;
  /** Begins anew. */
  clear(): void;
}

const FIRST = 1024;

export function gathered(longest: number): Gathered {
  let buffer: Buffer = Buffer.alloc(0);
  let size = 0;
  let tooMany = false;
  return {
    add(piece) {
      if (tooMany || size + piece.length > longest) {
        tooMany = true;
        size = 0;
        buffer = Buffer.alloc(0);
        return false;
      }
      if (size + piece.length > buffer.length) {
        const larger = Buffer.allocUnsafe(Math.max(FIRST, 2 * buffer.length, size + piece.length));
        buffer.copy(larger, 0, 0, size);
        buffer = larger;
      }
      size += piece.copy(buffer, size);
      return true;
    },
    size: () => size,
    bytes: () => buffer.subarray(0, size),
    clear() {
      size = 0;
      tooMany = false;
      if (buffer.length > KEPT) buffer = Buffer.alloc(0);
    },
  };
}

/** A buffer that was needed once for something large is given back. */
const KEPT = 256 * 1024;
