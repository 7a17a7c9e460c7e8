import {
  chmodSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { isOlderThan } from '../src/content/trace.ts';
import { commandsOf } from './counting-git.ts';
import { clone, start, write } from './scratch.ts';

const attempt = { taskId: 't', attempt: 1 };

/** Saved work, none of it younger than what a file system's clock can tell apart. */
async function saved() {
  const { run } = await start(clone());
  const worktree = await run.carve(attempt);
  const at = (name: string) => join(worktree.path, name);
  write(worktree.path, { 'a.txt': 'aaaa', 'b.txt': 'bbbb', 'sub/c.txt': 'cccc' });
  symlinkSync('a.txt', at('link'));
  await sleep(50);
  await run.salvage(worktree, 'm');
  // Whatever starts git from now on finds it anew.
  await run.tidy(() => true);
  return { run, worktree, at };
}

/** Does it, and has the file look as old as before. */
function unnoticed(path: string, deed: () => void): void {
  const { atime, mtime } = statSync(path);
  deed();
  utimesSync(path, atime, mtime);
}

it('what is as it was is removed without asking git', async () => {
  const { run, worktree } = await saved();
  expect(await commandsOf(() => run.remove(worktree))).not.toContain('ls-files');
});

it('what was only touched is compared by git, and removed', async () => {
  const { run, worktree, at } = await saved();
  chmodSync(at('a.txt'), 0o644);
  let removal: unknown;
  const commands = await commandsOf(async () => {
    removal = await run.remove(worktree);
  });
  expect(commands).toContain('ls-files');
  expect(removal).toEqual({ kind: 'removed' });
});

it('a folder that was away, and came back as it was, is compared by git', async () => {
  const { run, worktree, at } = await saved();
  renameSync(at('sub'), at('away'));
  renameSync(at('away'), at('sub'));
  expect(await commandsOf(() => run.remove(worktree))).toContain('ls-files');
});

type At = (name: string) => string;

it.each<readonly [string, (at: At) => void]>([
  [
    'a file of the same size and age',
    (at) => unnoticed(at('a.txt'), () => writeFileSync(at('a.txt'), 'AAAA')),
  ],
  [
    'two files that changed places',
    (at) => {
      renameSync(at('a.txt'), at('x'));
      renameSync(at('b.txt'), at('a.txt'));
      renameSync(at('x'), at('b.txt'));
    },
  ],
  ['a folder under another name', (at) => renameSync(at('sub'), at('other'))],
  ['a file more', (at) => writeFileSync(at('sub/more.txt'), '')],
  ['a hard link more', (at) => linkSync(at('a.txt'), at('d.txt'))],
  ['a file less', (at) => rmSync(at('b.txt'))],
  ['a file that may be run', (at) => unnoticed(at('a.txt'), () => chmodSync(at('a.txt'), 0o755))],
  [
    'a link to elsewhere',
    (at) => {
      unlinkSync(at('link'));
      symlinkSync('b.txt', at('link'));
    },
  ],
  [
    'a file in place of a link',
    (at) => {
      unlinkSync(at('link'));
      writeFileSync(at('link'), 'a.txt');
    },
  ],
  [
    'a folder in place of a file',
    (at) => {
      rmSync(at('a.txt'));
      mkdirSync(at('a.txt'));
      writeFileSync(at('a.txt/f'), 'f');
    },
  ],
])('%s was not saved: the worktree stays', async (_, change) => {
  const { run, worktree, at } = await saved();
  change(at);
  await expect(run.remove(worktree)).rejects.toMatchObject({ code: 'NOT_SALVAGED' });
});

it('stamps tell nothing of what may change once more within the same tick of the clock', () => {
  const sighting = { digest: 'd', youngestMs: 1_000 };
  expect(isOlderThan(sighting, 1_010)).toBe(false);
  expect(isOlderThan(sighting, 1_010.1)).toBe(true);
});
