import { createHash, type Hash } from 'node:crypto';
import type { Git } from '../git/git.ts';
import type { ObjectReader } from '../git/object-reader.ts';
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

/** Reads into memory only what is small. */
export async function facts(
  { content: { objects, reader } }: Pick<Site, 'content'>,
  commit: string,
  paths: readonly string[],
): Promise<readonly FileFact[]> {
  const entries = await objectsAt(reader, commit, paths);
  const blobs = [...entries].filter(([, { type }]) => type === 'blob');
  const oids = [...new Set(blobs.map(([, { oid }]) => oid))];
  const hashes = (await hashFew(reader, oids)) ?? (await hashBlobs(objects, oids));
  return blobs.flatMap(([path, { oid }]) => {
    const hash = hashes.get(oid);
    return hash ? [{ path, ...hash }] : [];
  });
}

type Content = Omit<FileFact, 'path'>;

const MOST_IN_MEMORY = { blobs: 100, bytes: 4 * 1024 * 1024 };

/** `undefined` where they are too much to be held. */
async function hashFew(
  reader: ObjectReader,
  oids: readonly string[],
): Promise<ReadonlyMap<string, Content> | undefined> {
  if (oids.length > MOST_IN_MEMORY.blobs) return undefined;
  const known = await reader.info(oids);
  const size = known.reduce((sum, one) => sum + (one?.bytes ?? 0), 0);
  if (size > MOST_IN_MEMORY.bytes) return undefined;
  const found = await reader.contents(oids);
  return new Map(
    found.flatMap((one) => {
      if (one?.type !== 'blob') return [];
      const sha256 = createHash('sha256').update(one.content).digest('hex');
      return [[one.oid, { sha256, bytes: one.bytes }] as const];
    }),
  );
}

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
