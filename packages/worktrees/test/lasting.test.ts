import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import type { Offer, Run } from '../src/index.ts';
import { clone, scratch, start, write } from './scratch.ts';

const PATH = process.env['PATH'] ?? '';
const WAIT = { timeout: 50_000, interval: 20 };

/** What git itself counts, told in one of two forms, by its version. */
interface TraceEvent {
  readonly event: string;
  readonly argv?: readonly string[];
  readonly key?: string;
  readonly value?: string;
  readonly category?: string;
  readonly name?: string;
  readonly count?: number;
}

/**
 * Does a step with a git that counts, and lets those that are kept end; resolves to `command: flushes` for each call that
 * flushed or that is named.
 */
async function flushesOf(run: Run, step: () => Promise<unknown>, named: string): Promise<string[]> {
  const bin = scratch();
  const trace = join(bin, 'trace');
  mkdirSync(trace);
  const real = PATH.split(':')
    .map((folder) => join(folder, 'git'))
    .find(existsSync);
  const script = `#!/bin/sh\nGIT_TRACE2_EVENT='${trace}' exec '${real}' "$@"\n`;
  writeFileSync(join(bin, 'git'), script, { mode: 0o755 });
  // Nobody's worktree is touched by it, and no git is asked.
  await run.tidy(() => true);
  process.env['PATH'] = `${bin}:${PATH}`;
  try {
    await step();
    await run.tidy(() => true);
  } finally {
    process.env['PATH'] = PATH;
  }
  const traces = () => readdirSync(trace).map((file) => readFileSync(join(trace, file), 'utf8'));
  await vi.waitUntil(() => traces().every((text) => text.includes('"event":"atexit"')), WAIT);
  return traces()
    .map((text) =>
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as TraceEvent),
    )
    .map((events) => ({
      command: events.find(({ event }) => event === 'cmd_name')?.name ?? '',
      flushes: events.reduce((sum, one) => sum + hardwareFlushes(one), 0),
    }))
    .filter(({ command, flushes }) => flushes > 0 || command === named)
    .map(({ command, flushes }) => `${command}: ${flushes}`)
    .sort();
}

const hardwareFlushes = ({ key, value, category, name, count }: TraceEvent): number =>
  key === 'fsync/hardware-flush' || (category === 'fsync' && name === 'hardware-flush')
    ? Number(value ?? count)
    : 0;

it('what is saved is on the disk before it is told: each object, and the ref', async () => {
  const { run } = await start(clone());
  const worktree = await run.carve({ taskId: 'a', attempt: 1 });
  write(worktree.path, { 'a.txt': 'a', 'sub/b.txt': 'b' });
  expect(await flushesOf(run, () => run.salvage(worktree, 'm'), '')).toEqual([
    'hash-object: 1',
    'update-index: 2',
    'update-ref: 1',
    'write-tree: 2',
  ]);
});

it('of very many files all objects share one flush', async () => {
  const { run } = await start(clone());
  const worktree = await run.carve({ taskId: 'a', attempt: 1 });
  for (let count = 0; count < 201; count += 1) write(worktree.path, { [`${count}`]: `${count}` });
  expect(await flushesOf(run, () => run.salvage(worktree, 'm'), '')).toContain('update-index: 1');
});

it('merges are on the disk before they are told, also where they were tried before', async () => {
  const { run } = await start(clone());
  const saved: Offer[] = [];
  for (const taskId of ['a', 'b']) {
    const worktree = await run.carve({ taskId, attempt: 1 });
    write(worktree.path, { [`${taskId}.txt`]: taskId });
    const { commit = '' } = (await run.salvage(worktree, 'm')) ?? {};
    saved.push({ taskId, commit });
  }
  const [a, b] = saved.map(({ commit }) => commit);
  expect(await flushesOf(run, () => run.conflicts(b ?? '', a), 'merge-tree')).toEqual([
    'merge-tree: 1',
  ]);
  // The tree of both is there already. The first merge brings what is ahead of it: its tree is that of the work.
  expect(await flushesOf(run, () => run.integrate(saved), 'hash-object')).toEqual([
    'hash-object: 0',
    'hash-object: 2',
    'update-ref: 1',
  ]);
});

it('a merge that no git was asked for is as durable: each tree by itself', async () => {
  const { run } = await start(clone());
  const saved: Offer[] = [];
  for (const taskId of ['a', 'b']) {
    const worktree = await run.carve({ taskId, attempt: 1 });
    write(worktree.path, { [`new/deep/${taskId}.txt`]: taskId });
    const { commit = '' } = (await run.salvage(worktree, 'm')) ?? {};
    saved.push({ taskId, commit });
  }
  // The first brings what is ahead of the branch; of the second, three folders are written.
  expect(await flushesOf(run, () => run.integrate(saved), 'merge-tree')).toEqual([
    'hash-object: 2',
    'hash-object: 3',
    'update-ref: 1',
  ]);
});

it('nothing is waited for where no work is: not in a carve, nor in a checkout', async () => {
  const { run } = await start(clone());
  const step = async () => {
    await run.carve({ taskId: 'a', attempt: 1 });
    await run.checkout(run.base);
  };
  expect(await flushesOf(run, step, '')).toEqual([]);
});

it('a repository can not be configured out of it', async () => {
  const dir = clone();
  const { run } = await start(dir);
  writeFileSync(
    join(dir, '.git/config'),
    '[core]\n\tfsync = none\n\tfsyncMethod = writeout-only\n',
    {
      flag: 'a',
    },
  );
  const worktree = await run.carve({ taskId: 'a', attempt: 1 });
  write(worktree.path, { 'a.txt': 'a' });
  const flushes = await flushesOf(run, () => run.salvage(worktree, 'm'), '');
  expect(flushes).toContain('update-ref: 1');
});
