import { existsSync, mkdirSync, watch, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { discard } from '../src/attempt/discard.ts';
import { clone, start } from './scratch.ts';

it('of a registration the pointer goes last: until then it can be told whose the rest is', async () => {
  const { run, repository } = await start(clone());
  const worktree = await run.carve({ taskId: 'a', attempt: 1 });
  // By chance a pointer could be the last of a few.
  for (let count = 0; count < 200; count += 1)
    writeFileSync(join(worktree.gitDir, `more-${count}`), '');
  mkdirSync(join(worktree.gitDir, 'folder/in/it'), { recursive: true });
  const gone: string[] = [];
  // The system tells of removals in their order.
  const watcher = watch(worktree.gitDir, (_event, name) => {
    if (name !== null && !existsSync(join(worktree.gitDir, name)) && !gone.includes(name))
      gone.push(name);
  });
  onTestFinished(() => watcher.close());
  const { commonDir } = repository;
  await discard({ commonDir, root: run.root }, worktree);
  while (!gone.includes('gitdir')) await setTimeout(5);
  expect(existsSync(worktree.gitDir)).toBe(false);
  expect(existsSync(dirname(worktree.gitDir))).toBe(false);
  const registration = gone.filter((name) => name !== worktree.gitDir.split('/').at(-1));
  expect(registration.length).toBeGreaterThan(200);
  expect(registration.at(-1)).toBe('gitdir');
});
