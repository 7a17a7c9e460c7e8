import { readFile, realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** The git dir of the checkout at `topLevel`: the common one, or that of a linked worktree. */
export async function checkoutDir({
  topLevel,
  commonDir,
}: {
  readonly topLevel: string;
  readonly commonDir: string;
}): Promise<string> {
  const pointer = await readFile(join(topLevel, '.git'), 'utf8').catch(() => '');
  const named = /^gitdir: ([^\n]+)/.exec(pointer)?.[1];
  if (named === undefined) return commonDir;
  const found = await realpath(resolve(topLevel, named)).catch(() => commonDir);
  return dirname(found) === join(commonDir, 'worktrees') ? found : commonDir;
}
