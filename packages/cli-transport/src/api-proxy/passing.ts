import { Transform } from 'node:stream';
import type { Meter } from './meter.ts';

/**
 * Lets an answer by and meters it. A secret in it, which an API may repeat in a complaint, is starred out in its length,
 * also where it is torn in two: only what may be the beginning of one waits for the next piece.
 */
export function passing(meter: Meter, secrets: readonly string[]): Transform {
  const hidden = secrets.map((secret) => Buffer.from(secret));
  let rest: Buffer = Buffer.alloc(0);
  return new Transform({
    transform(chunk: Buffer, _, done) {
      meter.take(chunk);
      const bytes = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk]);
      for (const secret of hidden) starOut(bytes, secret);
      const waiting = Math.max(0, ...hidden.map((secret) => begun(bytes, secret)));
      rest = bytes.subarray(bytes.length - waiting);
      done(null, bytes.subarray(0, bytes.length - waiting));
    },
    flush(done) {
      meter.end();
      done(null, rest);
    },
  });
}

const STAR = 0x2a;

/** The text with every secret starred out. */
export function hiding(text: string, secrets: readonly string[]): string {
  const bytes = Buffer.from(text, 'latin1');
  for (const secret of secrets) starOut(bytes, Buffer.from(secret));
  return bytes.toString('latin1');
}

function starOut(bytes: Buffer, secret: Buffer): void {
  for (let at = bytes.indexOf(secret); at >= 0; at = bytes.indexOf(secret, at + secret.length))
    bytes.fill(STAR, at, at + secret.length);
}

/** How many of the last bytes are the beginning of the secret. */
function begun(bytes: Buffer, secret: Buffer): number {
  for (let length = Math.min(bytes.length, secret.length - 1); length > 0; length -= 1)
    if (bytes.subarray(bytes.length - length).equals(secret.subarray(0, length))) return length;
  return 0;
}
