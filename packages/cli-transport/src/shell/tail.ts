/** The end of a stream of bytes of any length, in memory of one size. */
export interface Tail {
  push(chunk: Uint8Array): void;
  /** Well-formed, whatever the bytes were; a character that was cut at the front is left out. */
  text(): string;
}

export function tailOf(limit: number): Tail {
  const ring = Buffer.alloc(limit);
  let at = 0;
  let total = 0;
  return {
    push(chunk) {
      total += chunk.length;
      const kept = chunk.subarray(Math.max(0, chunk.length - limit));
      const first = kept.subarray(0, limit - at);
      ring.set(first, at);
      ring.set(kept.subarray(first.length), 0);
      at = (at + kept.length) % limit;
    },
    text() {
      if (total <= limit) return ring.toString('utf8', 0, total);
      const bytes = Buffer.concat([ring.subarray(at), ring.subarray(0, at)]);
      let start = 0;
      while (start < LONGEST_REST && isContinuation(bytes[start])) start += 1;
      return bytes.toString('utf8', start);
    },
  };
}

/** A UTF-8 character has no more bytes after its first. */
const LONGEST_REST = 3;

const isContinuation = (byte: number | undefined): boolean =>
  byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000;
