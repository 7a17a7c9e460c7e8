import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from '../git/git.ts';
import { AUTHOR } from '../git/git-surroundings.ts';
import type { Asking } from '../git/keep-asking.ts';

export interface NewCommit {
  readonly tree: string;
  /** Different commits. */
  readonly parents: readonly string[];
  readonly message: string;
}

interface Desk {
  readonly objects: Git;
  readonly kept: Asking<string, string>;
  /** A folder for what git is to read. */
  readonly folder: string;
}

/** Writes a commit by the product, for good, and resolves to its name. The tree and the parents have to be there. */
export async function writeCommit(
  { objects, kept, folder }: Desk,
  commit: NewCommit,
): Promise<string> {
  const text = textOf(commit);
  const path = join(folder, `commit-${randomBytes(8).toString('hex')}`);
  try {
    await writeFile(path, text, { flag: 'wx' });
    return await kept.ask(path);
  } catch {
    // Written twice, it is the same commit.
    const command = ['hash-object', '-t', 'commit', '-w', '--stdin'] as const;
    return (await objects(command, { input: Buffer.from(text), lasting: 'each' })).text;
  } finally {
    await rm(path, { force: true });
  }
}

function textOf({ tree, parents, message }: NewCommit): string {
  const by = `${AUTHOR.name} <${AUTHOR.email}> ${Math.floor(Date.now() / 1000)} +0000`;
  return [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${by}`,
    `committer ${by}`,
    '',
    message.replaceAll('\0', ' ').replace(/\n?$/, '\n'),
  ].join('\n');
}
