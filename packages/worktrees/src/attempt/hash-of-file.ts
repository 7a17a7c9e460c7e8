import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** The SHA-256 of what is in a file, in hexadecimal. */
export async function hashOfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path, { highWaterMark: PIECE })) hash.update(piece);
  return hash.digest('hex');
}

const PIECE = 1024 * 1024;
