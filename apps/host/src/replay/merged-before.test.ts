import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BriefingContext, Task } from '@atelier/engine';
import { openRepository } from '@atelier/worktrees';
import { describe, expect, onTestFinished, test } from 'vitest';
import { mergedBefore, type ReplaySource } from './merged-before.ts';

/** A clone with a folder of plain files, one with a link that leads out of it, and a file that both say nothing of. */
function clone() {
  const at = realpathSync(mkdtempSync(join(tmpdir(), 'atelier-replay-')));
  onTestFinished(() => rmSync(at, { recursive: true, force: true }));
  const dir = join(at, 'repo');
  for (const folder of ['plain', 'linked']) mkdirSync(join(dir, folder), { recursive: true });
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', dir, '-c', 'user.name=t', '-c', 'user.email=t@t', ...args]);
  const commit = (files: Readonly<Record<string, string>>) => {
    for (const [path, text] of Object.entries(files)) writeFileSync(join(dir, path), text);
    git('add', '--all');
    git('commit', '--quiet', '--message', 'next');
  };
  git('init', '--quiet', '--initial-branch=main');
  symlinkSync('../other.txt', join(dir, 'linked/link'));
  commit({ 'plain/a': 'one', 'linked/a': 'one', 'other.txt': 'one' });

  /** Whether git lists a link or a submodule inside of a folder. */
  const hasLinks = async (of: string, folders: readonly string[]) =>
    /^1[26]0000 /m.test(git('ls-tree', '-r', of, '--', ...folders).toString());
  let runs = 0;
  /** The key that a run of the clone as it is now gives a task. */
  const keyOf = async (task: Partial<Task>, source: Partial<ReplaySource> = {}) => {
    const repository = await openRepository({ dir });
    runs += 1;
    const root = join(at, `run-${runs}`);
    const work = await repository.startRun({ runId: `run-${runs}`, root });
    const whole: Task = { id: 'a', parallel_group: 1, ...task };
    const context = { task: whole, attempt: 1, upstream: [] } as unknown as BriefingContext;
    const recall = mergedBefore({
      ...{ tasks: [whole], briefing: () => 'do it', settings: null, isGated: false },
      ...{ work: { ...work, hasLinks }, merged: () => [], ...source },
    });
    return recall.contentKey(context);
  };
  return { at, commit, keyOf };
}

const KEY = /^[0-9a-f]{64}\.[0-9a-f]{56}$/;

describe('a task that reads a folder', () => {
  test('of plain files depends on them, and on nothing beside', async () => {
    const { commit, keyOf } = clone();
    const key = () => keyOf({ reads: ['plain'] });
    const before = await key();
    expect(before).toMatch(KEY);
    commit({ 'other.txt': 'two' });
    expect(await key()).toBe(before);
    commit({ 'plain/a': 'two' });
    expect(await key()).not.toBe(before);
  });

  test('with a link in it depends on whatever the link may lead to', async () => {
    const { commit, keyOf } = clone();
    const key = () => keyOf({ reads: ['linked/**'] });
    const before = await key();
    expect(before).toMatch(KEY);
    expect(await key()).toBe(before);
    commit({ 'other.txt': 'two' });
    expect(await key()).not.toBe(before);
  });
});

test('files that workers get or may read outside of git are part of what a result depends on', async () => {
  const { at, keyOf } = clone();
  const outside = join(at, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, '.env'), 'KEY=1');
  const key = () => keyOf({ reads: ['plain'] }, { files: async () => [outside] });
  const before = await key();
  expect(before).toMatch(KEY);
  expect(await key()).toBe(before);
  expect(await keyOf({ reads: ['plain'] })).not.toBe(before);
  writeFileSync(join(outside, '.env'), 'KEY=2');
  expect(await key()).not.toBe(before);
});

test('where they can not be told nothing is replayed, and that is said once', async () => {
  const { at, keyOf } = clone();
  const outside = join(at, 'outside');
  mkdirSync(outside);
  writeFileSync(Buffer.concat([Buffer.from(`${outside}/x`), Buffer.from([0xff])]), '');
  const said: string[] = [];
  const source = { files: async () => [outside], warn: (text: string) => said.push(text) };
  expect(await keyOf({ reads: ['plain'] }, source)).toBeUndefined();
  expect(said).toEqual([expect.stringContaining('no task is spared')]);
});

test('who reviews whom is looked up once, however many keys are asked for', async () => {
  let looks = 0;
  const reviewer = (id: string, of: string): Task => ({
    ...{ id, parallel_group: 1 },
    get reviews() {
      looks += 1;
      return of;
    },
  });
  const work = (id: string): Task => ({ id, parallel_group: 1 });
  const tasks = [work('a'), reviewer('r', 'a'), work('b'), reviewer('s', 'a'), work('7')];
  const recall = mergedBefore({
    ...{ tasks, briefing: () => 'do it', settings: null, isGated: true, merged: () => [] },
    work: {
      ...{ tip: async () => 'c', tree: async () => 't', contains: async () => true },
      objectsAt: async () => new Map(),
    },
  });
  const keys = [];
  for (const id of ['a', 'b', '7']) {
    const next = { task: work(id), attempt: 1, upstream: [] } as unknown as BriefingContext;
    keys.push(await recall.contentKey(next));
    looks = keys.length === 1 ? 0 : looks;
  }
  expect(new Set(keys).size).toBe(3);
  expect(looks).toBe(0);
});
