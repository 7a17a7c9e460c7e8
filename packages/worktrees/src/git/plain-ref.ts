import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../error.ts';

/** What a file of a git dir that stands for a commit says. */
export type PlainRef =
  | { readonly kind: 'commit'; readonly commit: string }
  | { readonly kind: 'branch'; readonly ref: string }
  | { readonly kind: 'absent' };

/** More than any ref is long. */
const LONGEST = 4096;
/** Where refs are in a table, git leaves a HEAD that says so, for programs that look for one. */
const STUB = 'refs/heads/.invalid';

/**
 * Reads HEAD or a ref from its own file, as gitrepository-layout(5) has it, without a process. `undefined` where the
 * file says anything else: then git must be asked, and so for a ref without a file, which may be packed. Follows no
 * link.
 */
export async function readPlainRef(file: string): Promise<PlainRef | undefined> {
  let text: string;
  try {
    text = await firstBytes(file);
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? { kind: 'absent' } : undefined;
  }
  const [, commit, ref] =
    /^(?:([0-9a-f]{40}|[0-9a-f]{64})|ref: (refs\/[^\n]+))\n$/.exec(text) ?? [];
  if (commit !== undefined) return { kind: 'commit', commit };
  return ref === undefined || ref === STUB ? undefined : { kind: 'branch', ref };
}

/** What a checkout has as its HEAD. */
type PlainHead = { readonly kind: 'detached' } | { readonly kind: 'branch'; readonly ref: string };

/** The HEAD of a checkout, where files alone tell it. A branch is one that is no other name for another. */
export async function readPlainHead({
  gitDir,
  commonDir,
}: {
  readonly gitDir: string;
  readonly commonDir: string;
}): Promise<PlainHead | undefined> {
  const head = await readPlainRef(join(gitDir, 'HEAD'));
  if (head?.kind === 'commit') return { kind: 'detached' };
  if (head?.kind !== 'branch') return undefined;
  const branch = await readPlainRef(join(commonDir, head.ref));
  return branch?.kind === 'commit' || branch?.kind === 'absent' ? head : undefined;
}

async function firstBytes(file: string): Promise<string> {
  // A FIFO in its place must not hold anybody up.
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(LONGEST), 0, LONGEST, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}
