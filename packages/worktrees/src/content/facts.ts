import { createHash, type Hash } from 'node:crypto';
import type { Git } from '../git/git.ts';
import type { Site } from '../site.ts';
import { objectsAt } from './objects-at.ts';

/** What a commit holds at a path, by the host’s own reckoning. */
export interface FileFact {
  readonly path: string;
  /** Of the stored bytes, in hexadecimal; of a symbolic link, those of its target’s name. */
  readonly sha256: string;
  readonly bytes: number;
}

/** To read a few gigabytes out of packed objects. */
const HASHING_MS = 600_000;

/** Reads no blob into memory. */
export async function facts(
  { content: { objects } }: Pick<Site, 'content'>,
  commit: string,
  paths: readonly string[],
): Promise<readonly FileFact[]> {
  const entries = await objectsAt(objects, commit, paths);
  const blobs = [...entries].filter(([, { type }]) => type === 'blob');
  const hashes = await hashBlobs(objects, [...new Set(blobs.map(([, { oid }]) => oid))]);
  return blobs.flatMap(([path, { oid }]) => {
    const hash = hashes.get(oid);
    return hash ? [{ path, ...hash }] : [];
  });
}

type Content = Omit<FileFact, 'path'>;

async function hashBlobs(
  objects: Git,
  oids: readonly string[],
): Promise<ReadonlyMap<string, Content>> {
  const found = new Map<string, Content>();
  if (oids.length === 0) return found;
  const batch = batchReader((oid, content) => found.set(oid, content));
  await objects(['cat-file', '--batch'], {
    input: Buffer.from(`${oids.join('\n')}\n`),
    timeoutMs: HASHING_MS,
    onOutput: batch,
  });
  return found;
}

const NEWLINE = '\n'.charCodeAt(0);

/** Reads `oid type size`, a line break, the content and a line break, in whatever pieces they come. */
function batchReader(tell: (oid: string, content: Content) => void): (piece: Buffer) => void {
  let header = Buffer.alloc(0);
  let blob: { oid: string; bytes: number; left: number; hash: Hash } | undefined;
  return (piece) => {
    let at = 0;
    while (at < piece.length) {
      if (!blob) {
        const end = piece.indexOf(NEWLINE, at);
        header = Buffer.concat([header, piece.subarray(at, end < 0 ? piece.length : end)]);
        if (end < 0) return;
        at = end + 1;
        const [oid = '', type, size] = header.toString('latin1').split(' ');
        header = Buffer.alloc(0);
        // Anything else is the end of the content before, or an object that is missing.
        if (type === 'blob')
          blob = { oid, bytes: Number(size), left: Number(size), hash: createHash('sha256') };
      } else {
        const some = piece.subarray(at, at + blob.left);
        blob.hash.update(some);
        blob.left -= some.length;
        at += some.length;
      }
      if (blob?.left !== 0) continue;
      tell(blob.oid, { sha256: blob.hash.digest('hex'), bytes: blob.bytes });
      blob = undefined;
    }
  };
}
