import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { AttemptHandle, AttemptReport, Transport, WorkOrder } from '@atelier/engine';
import { expect, it } from 'vitest';
import { type Run, withWorktrees } from '../src/index.ts';
import { clone, commit, git, start, write } from './scratch.ts';

const AUTHOR = { taskId: 'a', attempt: 1 };

const order: WorkOrder = {
  runId: 'r1',
  task: { id: 'reviewer' },
  attempt: 1,
  nonce: 'n',
  briefing: '',
  wallClockMs: 60_000,
  review: { task: { id: 'a' }, attempt: 1, reply: {} as never },
};

const REPLIED: AttemptReport = { kind: 'replied', reply: 'fine', usage: { inputTokens: 1 } };
const { signal } = new AbortController();

/** Reviewers that are functions on the folder they are given; `undefined` is one that is still at it. */
function reviewers(
  review: (path: string) => AttemptReport | undefined,
): Transport & { orders: WorkOrder[] } {
  const orders: WorkOrder[] = [];
  const begin = async (given: WorkOrder): Promise<AttemptHandle> => {
    orders.push(given);
    const report = review(given.workspace ?? '/nonexistent');
    return {
      report: report ? Promise.resolve(report) : new Promise(() => undefined),
      peek: async () => 'fine',
      stop: async () => undefined,
    };
  };
  const capabilities = { adopt: true, stop: 'kills' } as const;
  return { name: 'functions', capabilities, orders, start: begin, adopt: begin };
}

/** Work that was saved, and a file beside it that came later. */
async function reviewed(): Promise<{ dir: string; run: Run; path: string; commit: string }> {
  const dir = clone();
  const { run } = await start(dir);
  const worktree = await run.carve(AUTHOR);
  write(worktree.path, { 'work.txt': 'x' });
  const saved = await run.salvage(worktree, 'm');
  write(worktree.path, { 'dropping.txt': 'of nobody' });
  return { dir, run, path: worktree.path, commit: saved?.commit ?? '' };
}

const worktrees = (dir: string): number => git(dir, 'worktree', 'list').split('\n').length;

it('a reviewer gets the saved commit to read, in a folder that goes, and the author’s stays as it is', async () => {
  const { dir, run, path, commit: saved } = await reviewed();
  const inner = reviewers((given) => {
    expect(existsSync(join(given, 'work.txt'))).toBe(true);
    expect(existsSync(join(given, 'dropping.txt'))).toBe(false);
    expect(git(given, 'rev-parse', 'HEAD')).toBe(saved);
    return REPLIED;
  });
  const transport = withWorktrees(inner, run);
  const refs = git(dir, 'for-each-ref');
  const handle = await transport.start(order, signal);
  expect(await handle.report).toEqual(REPLIED);
  await handle.stop('x');
  await transport.release?.(order);
  const [given] = inner.orders;
  expect(given).toMatchObject({ readOnly: true, frozen: [] });
  expect(given?.workspace).not.toBe(path);
  expect(existsSync(given?.workspace ?? path)).toBe(false);
  expect(git(dir, 'for-each-ref')).toBe(refs);
  expect(await run.saved(AUTHOR)).toMatchObject({ commit: saved });
  expect(existsSync(join(path, 'dropping.txt'))).toBe(true);
  expect(worktrees(dir)).toBe(2);
});

it('a reply is seen while the reviewer is at it, until a file is changed; the folder goes with the release', async () => {
  const { dir, run } = await reviewed();
  const inner = reviewers(() => undefined);
  const transport = withWorktrees(inner, run);
  const handle = await transport.start(order, signal);
  const given = inner.orders[0]?.workspace ?? '';
  expect(await handle.peek()).toBe('fine');
  expect(worktrees(dir)).toBe(3);
  write(given, { 'work.txt': 'y' });
  expect(await handle.peek()).toBeUndefined();
  await handle.stop('x');
  expect(worktrees(dir)).toBe(3);
  await transport.release?.(order);
  expect(worktrees(dir)).toBe(2);
});

it.each<[string, (path: string) => void]>([
  ['edits a file', (path) => write(path, { 'work.txt': 'y' })],
  ['adds one', (path) => write(path, { 'note.txt': 'y' })],
  ['deletes one', (path) => rmSync(join(path, 'f.txt'))],
  ['commits', (path) => void commit(path, { own: 'x' }, 'c')],
])('a reviewer who %s has failed', async (_name, change) => {
  const { run } = await reviewed();
  const transport = withWorktrees(
    reviewers((path) => {
      change(path);
      return REPLIED;
    }),
    run,
  );
  const handle = await transport.start(order, signal);
  expect(await handle.report).toEqual({
    kind: 'failed',
    cause: 'write-scope',
    detail: 'the reviewer changed files of the work under review',
    usage: { inputTokens: 1 },
  });
  expect(await handle.peek()).toBeUndefined();
});

it('a failure of the world is still told as one, and any other end is the write', async () => {
  const { run } = await reviewed();
  const failing = (cause: 'usage-limit' | 'exit') =>
    withWorktrees(
      reviewers((path) => {
        write(path, { 'work.txt': cause });
        return { kind: 'failed', cause, detail: 'the limit', resumeAt: 7 };
      }),
      run,
    ).start(order, signal);
  expect(await (await failing('usage-limit')).report).toMatchObject({
    cause: 'usage-limit',
    resumeAt: 7,
    detail: expect.stringContaining('the limit; the reviewer changed'),
  });
  expect(await (await failing('exit')).report).toMatchObject({ cause: 'write-scope' });
});

it('work is reviewed without its author’s worktree, and what was never saved is not', async () => {
  const { dir, run, path } = await reviewed();
  const inner = reviewers(() => REPLIED);
  const transport = withWorktrees(inner, run);
  rmSync(path, { recursive: true });
  expect(await (await transport.start(order, signal)).report).toEqual(REPLIED);
  const unknown = { ...order, review: { task: { id: 'z' }, attempt: 1, reply: {} as never } };
  await expect(transport.start(unknown, signal)).rejects.toMatchObject({ code: 'WORK_NOT_SAVED' });
  expect(inner.orders).toHaveLength(1);
  await transport.release?.(order);
  expect(git(dir, 'worktree', 'list')).not.toContain('/scratch');
});

it('a reviewer that can not be started leaves no folder', async () => {
  const { dir, run } = await reviewed();
  const inner: Transport = {
    ...reviewers(() => REPLIED),
    start: () => Promise.reject(new Error('no agent')),
  };
  await expect(withWorktrees(inner, run).start(order, signal)).rejects.toThrow('no agent');
  expect(worktrees(dir)).toBe(2);
});

it.each([false, true])(
  'a later host adopts a reviewer in the folder it was given (that changed: %s)',
  async (changes) => {
    const { dir, run } = await reviewed();
    const before = reviewers(() => undefined);
    await withWorktrees(before, run).start(order, signal);
    const given = before.orders[0]?.workspace ?? '';
    const later = await start(dir, { root: run.root });
    if (changes) write(given, { 'work.txt': 'y' });
    const inner = reviewers(() => REPLIED);
    const transport = withWorktrees(inner, later.run);
    const handle = await transport.adopt?.(order, signal);
    expect(await handle?.report).toMatchObject(
      changes ? { kind: 'failed', cause: 'write-scope' } : REPLIED,
    );
    expect(inner.orders).toMatchObject([{ workspace: given, readOnly: true }]);
    await transport.release?.(order);
    expect(worktrees(dir)).toBe(2);
  },
);

it('the folder of a reviewer who is gone goes, and of a review that no host began nothing is believed', async () => {
  const { dir, run } = await reviewed();
  await withWorktrees(
    reviewers(() => undefined),
    run,
  ).start(order, signal);
  const { run: later } = await start(dir, { root: run.root });
  const inner = reviewers(() => REPLIED);
  const none = withWorktrees({ ...inner, adopt: async () => undefined }, later);
  expect(await none.adopt?.(order, signal)).toBeUndefined();
  expect(worktrees(dir)).toBe(2);
  const strange = { ...order, attempt: 2 };
  const handle = await withWorktrees(inner, later).adopt?.(strange, signal);
  expect(await handle?.report).toMatchObject({
    kind: 'failed',
    cause: 'write-scope',
    detail: 'what was reviewed is not there any more',
  });
});

it('a host that is killed before the verdict of a reviewer was recorded loses nothing of it', async () => {
  const { dir, run } = await reviewed();
  const told = await withWorktrees(
    reviewers(() => REPLIED),
    run,
  ).start(order, signal);
  expect(await told.report).toEqual(REPLIED);
  const later = await start(dir, { root: run.root });
  const again = await withWorktrees(
    reviewers(() => REPLIED),
    later.run,
  ).adopt?.(order, signal);
  expect(await again?.report).toEqual(REPLIED);
});

it.each([
  ['who does not say', undefined],
  ['whose report says so', 'unstoppable'],
])('the folder stays under a reviewer that could not be ended, %s', async (_, cause) => {
  const { dir, run } = await reviewed();
  const inner = reviewers(() => undefined);
  const told: AttemptReport = { kind: 'failed', cause: 'unstoppable', detail: 'it lives' };
  const unstoppable: Transport = {
    ...inner,
    start: async (given, signal) => {
      const handle = await inner.start(given, signal);
      // Then its folder says nothing about how it ended.
      if (cause) write(given.workspace ?? '', { 'work.txt': 'y' });
      return {
        ...handle,
        report: cause ? Promise.resolve(told) : handle.report,
        stop: () => Promise.reject(new Error('does not end')),
      };
    },
  };
  const transport = withWorktrees(unstoppable, run);
  const handle = await transport.start(order, signal);
  if (cause) expect(await handle.report).toMatchObject({ kind: 'failed', cause });
  else await expect(handle.stop('x')).rejects.toThrow('does not end');
  await transport.release?.(order);
  expect(worktrees(dir)).toBe(3);
  // Nor does a later host take it for what a killed one has left.
  const later = await start(dir, { root: run.root });
  await later.run.tidy(({ taskId }) => taskId === 'reviewer');
  expect(worktrees(dir)).toBe(2);
});
