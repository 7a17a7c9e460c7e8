import { spawn } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { collectWorktrees } from '../src/index.ts';
import { clone, git, scratch, start, write } from './scratch.ts';

const ATTEMPT = { taskId: 'a', attempt: 1 };
const nobody = () => false;
const idle = { isInUse: () => false };

it('a git that outlives its host still writes the files of a worktree: that goes all the same', async () => {
  const dir = clone();
  const { run } = await start(dir);
  const bench = await run.checkout(run.base);
  const script = `i=0; while :; do
  mkdir -p "d$((i % 9))"; echo >"d$((i % 9))/$i"; i=$((i + 1))
done`;
  const writer = spawn('sh', ['-c', script], { cwd: bench.path, stdio: 'ignore' });
  onTestFinished(() => void writer.kill('SIGKILL'));
  await vi.waitUntil(() => existsSync(join(bench.path, 'd8/8')), { timeout: 50_000 });
  void setTimeout(1_000).then(() => writer.kill('SIGKILL'));
  const later = await start(dir, { root: run.root });
  await later.run.tidy(nobody);
  expect(later.warnings).toEqual([]);
  expect(existsSync(bench.path) || existsSync(bench.gitDir)).toBe(false);
});

it('what says that a worktree is nobody’s goes where its attempt had been noted by then', async () => {
  const dir = clone();
  const { run } = await start(dir);
  const { path, gitDir, base } = await run.carve(ATTEMPT);
  const record = JSON.stringify({ kind: 'scratch', path, gitDir, base });
  write(run.root, { 'scratch/s-left/scratch.json': record });
  write(path, { 'work.txt': 'x' });
  await run.tidy(nobody);
  expect(readdirSync(join(run.root, 'scratch'))).toEqual([]);
  expect(git(dir, 'show', `${await run.savedRef(ATTEMPT)}:work.txt`)).toBe('x');
});

it.each(['its pointer', 'all of it'])(
  'a registration that nobody resumes goes with the other worktrees; it came as far as %s',
  async (last) => {
    const dir = clone();
    const home = scratch();
    const { run, repository } = await start(dir, { root: join(home, 'r1') });
    const { path, gitDir } = await run.carve(ATTEMPT);
    rmSync(join(run.root, 'attempts'), { recursive: true });
    rmSync(join(path, 'f.txt'));
    for (const name of ['index', ...(last === 'all of it' ? [] : ['gitdir', 'locked'])])
      rmSync(join(gitDir, name));
    const inventory = { repository, home };
    await collectWorktrees({ ...inventory, isInUse: () => true });
    await collectWorktrees({ ...inventory, ...idle, dryRun: true });
    expect(existsSync(path) && existsSync(gitDir)).toBe(true);
    expect(await collectWorktrees({ ...inventory, ...idle })).toEqual({ removed: [], kept: [] });
    expect(existsSync(path) || existsSync(gitDir)).toBe(false);
  },
);

it('one that somebody has put a file in stays, where no record tells of it', async () => {
  const dir = clone();
  const home = scratch();
  const { run, repository } = await start(dir, { root: join(home, 'r1') });
  const { path, gitDir } = await run.carve(ATTEMPT);
  rmSync(join(run.root, 'attempts'), { recursive: true });
  await collectWorktrees({ repository, home, ...idle });
  expect(existsSync(join(path, 'f.txt')) && existsSync(gitDir)).toBe(true);
});
