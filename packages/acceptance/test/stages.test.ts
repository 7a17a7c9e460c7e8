import { createHash } from 'node:crypto';
import type { Task } from '@atelier/engine';
import { describe, expect, it } from 'vitest';
import {
  AcceptanceError,
  type AcceptanceOptions,
  acceptance,
  memoryWorkspace,
  type Shell,
  type ShellCall,
  type ShellEnd,
} from '../src/index.ts';
import { acceptedWork, journal, orderOf, replyOf, verdictOf } from './attempts.ts';

const sha = (text: string) => createHash('sha256').update(text).digest('hex');

const GREEN: ShellEnd = { kind: 'exited', exitCode: 0, output: '' };

/** A shell that answers as told and remembers what it was asked. */
function shellThat(end: ShellEnd): Shell & { readonly calls: ShellCall[] } {
  const calls: ShellCall[] = [];
  const shell: Shell = async (call) => {
    calls.push(call);
    return end;
  };
  return Object.assign(shell, { calls });
}

async function setUp(task: Task, options: Partial<AcceptanceOptions> = {}) {
  const workspace = memoryWorkspace({ 'f.txt': 'base\n' });
  const attempt = { taskId: task.id, attempt: 1 };
  const commit = await workspace.work(attempt, { files: { 'f.txt': 'new\n', 'out/x': 'x\ny\n' } });
  const checks = acceptance({ workspace, commandMs: 90_000, ...options });
  const order = orderOf(task);
  return { workspace, attempt, commit, checks, order };
}

describe('the stages of an acceptance', () => {
  it('are journalled in their order, and their evidence is accepted as one object', async () => {
    const task = { id: 'T-1', must_produce: ['out/'], verify: 'make test' };
    const shell = shellThat(GREEN);
    const { checks, commit, order } = await setUp(task, { shell });
    const context = journal();
    const verdict = await checks.accept(order, replyOf(task), context);
    expect(context.stages).toEqual(['changes', 'scope', 'facts', 'verify', 'trial']);
    expect(verdict).toEqual({
      kind: 'accepted',
      evidence: {
        base: 'commit-1',
        commit,
        changed: 2,
        files: [
          { path: 'f.txt', status: 'modified', insertions: 1, deletions: 1 },
          { path: 'out/x', status: 'added', insertions: 2, deletions: 0 },
        ],
        insertions: 3,
        deletions: 1,
        products: [{ path: 'out/x', sha256: sha('x\ny\n'), bytes: 4 }],
        mismatches: [],
        conflicts: [],
      },
    });
  });

  it('a later host does not repeat what is behind the attempt, and its evidence counts', async () => {
    const task = { id: 'T-1', verify: 'make test' };
    const shell = shellThat(GREEN);
    const { checks, order } = await setUp(task, { shell });
    const context = journal();
    const first = await checks.accept(order, replyOf(task), context);
    const stages = context.stages.splice(0);
    expect(await checks.accept(order, replyOf(task), context)).toEqual(first);
    expect(context.stages).toEqual([]);
    expect(shell.calls).toHaveLength(1);
    context.passed.delete('facts');
    context.passed.delete('trial');
    expect(await checks.accept(order, replyOf(task), context)).toEqual(first);
    expect(context.stages).toEqual(['facts', 'trial']);
    expect(shell.calls).toHaveLength(1);
    expect(stages).toHaveLength(5);
  });

  it('a refusal is not journalled as passed', async () => {
    const task = { id: 'T-1', writes: ['f.txt'] };
    const { checks, order } = await setUp(task);
    const context = journal();
    expect((await checks.accept(order, replyOf(task), context)).kind).toBe('refused');
    expect(context.stages).toEqual(['changes']);
  });

  it('nothing is checked once nobody waits', async () => {
    const task = { id: 'T-1' };
    const { checks, order } = await setUp(task);
    const context = journal([], AbortSignal.abort());
    await expect(checks.accept(order, replyOf(task), context)).rejects.toThrow();
    expect(context.stages).toEqual([]);
  });

  it('a read-only task has no commit and no trial', async () => {
    const task = { id: 'T-2', writes: [] };
    const { checks, workspace } = await setUp({ id: 'T-1' });
    await workspace.work({ taskId: 'T-2', attempt: 1 }, {});
    const context = journal();
    const verdict = await checks.accept(orderOf(task), replyOf(task, ['f.txt']), context);
    expect(context.stages).toEqual(['changes', 'scope', 'facts']);
    expect(verdict).toMatchObject({ kind: 'accepted', evidence: { changed: 0, products: [] } });
    expect(verdict).not.toHaveProperty('evidence.commit');
  });
});

describe('facts, not claims', () => {
  it('a worker’s hash that is another is noted and decides nothing', async () => {
    const task = { id: 'T-1' };
    const { checks, order } = await setUp(task);
    const wrong = '0'.repeat(64);
    const artifacts = [
      { path: './f.txt', sha256: `SHA256:${sha('new\n').toUpperCase()}` },
      { path: 'out/x', sha: wrong },
      { kind: 'ref', path: 'gone.txt', sha256: `${wrong}\x1b` },
      { kind: 'ref', sha256: wrong },
      { path: '../outside', sha: wrong },
      { path: '/abs', sha: wrong },
      { path: 'half\ud800', sha: wrong },
      'f.txt',
      7,
      null,
    ];
    const verdict = await checks.accept(order, replyOf(task, artifacts), journal());
    expect(verdict).toMatchObject({
      kind: 'accepted',
      evidence: {
        products: [
          { path: 'f.txt', sha256: sha('new\n'), bytes: 4 },
          { path: 'out/x', sha256: sha('x\ny\n'), bytes: 4 },
        ],
        mismatches: [
          { path: 'out/x', claimed: wrong, found: sha('x\ny\n') },
          { path: 'gone.txt', claimed: `${wrong}\\x1b`, found: null },
        ],
      },
    });
  });

  it('long lists are cut, and what was left out is counted', async () => {
    const task = { id: 'T-2', must_produce: ['many/'] };
    const { checks, workspace } = await setUp({ id: 'T-1' });
    const files = Object.fromEntries(
      Array.from({ length: 250 }, (_, at) => [`many/${at}`, 'x\n'] as const),
    );
    await workspace.work({ taskId: 'T-2', attempt: 1 }, { files });
    const artifacts = Array.from({ length: 500 }, (_, at) => `other/${at}`);
    const verdict = await checks.accept(orderOf(task), replyOf(task, artifacts), journal());
    expect(verdict).toMatchObject({ evidence: { changed: 250, omitted: 50, insertions: 250 } });
    expect(Object(verdict).evidence.files).toHaveLength(200);
    expect(Object(verdict).evidence.products).toHaveLength(100);
  });
});

describe('verify', () => {
  const task = { id: 'T-1', verify: 'make test' };

  it('runs on the saved work in a fresh folder that goes, writable, bounded', async () => {
    const calls: ShellCall[] = [];
    const seen: unknown[] = [];
    const shell: Shell = async (call) => {
      calls.push(call);
      seen.push(workspace.files(call.worktree)?.get('f.txt'), workspace.checkouts.size);
      return GREEN;
    };
    const { workspace, attempt } = await setUp(task);
    const checks = acceptance({ workspace, shell, commandMs: 90_000 });
    const context = journal();
    await checks.accept(orderOf(task), replyOf(task), context);
    const worktree = expect.any(String);
    expect(calls).toEqual([
      { command: 'make test', worktree, frozen: [], timeoutMs: 90_000, signal: context.signal },
    ]);
    expect(seen).toEqual(['new\n', 1]);
    expect(workspace.checkouts.size).toBe(0);
    // Without a commit it is the base that is looked at.
    await workspace.work(attempt, {});
    const reads = { ...task, writes: [] };
    expect(verdictOf(await checks.accept(orderOf(reads), replyOf(reads), journal()))).toBe(
      'accepted',
    );
    expect(seen.slice(2)).toEqual(['base\n', 1]);
  });

  it.each<[string, ShellEnd, string, string | undefined]>([
    [
      'a failing command',
      { kind: 'exited', exitCode: 1, output: 'line 1\n\x1b[31mline 2\x1b[0m\n' },
      'verify: verify exited with 1',
      'line 1\nline 2',
    ],
    [
      'a silent one',
      { kind: 'exited', exitCode: 2, output: '\n' },
      'verify: verify exited with 2',
      undefined,
    ],
    ['a slow one', { kind: 'timeout', output: 'x' }, 'verify: verify timed out after 90 s', 'x'],
    [
      'one that was stopped',
      { kind: 'stopped', output: '' },
      'verify: verify was stopped',
      undefined,
    ],
    [
      'one that can not start',
      { kind: 'failed', detail: 'no\nwalls' },
      'verify: verify could not be run: no\\x0awalls',
      undefined,
    ],
  ])('%s is a refused attempt', async (_name, end, detail, findings) => {
    const { checks, order } = await setUp(task, { shell: shellThat(end) });
    const verdict = await checks.accept(order, replyOf(task), journal());
    expect(verdictOf(verdict)).toBe(detail);
    expect(Object(verdict).findings).toBe(findings);
  });

  it('is never skipped: no shell is a refusal', async () => {
    const bare = await setUp(task);
    expect(verdictOf(await bare.checks.accept(bare.order, replyOf(task), journal()))).toBe(
      'verify: verify could not be run: this host was given no shell for it',
    );
  });

  it.each(['SETUP_FAILED', 'SETUP_CHANGES_FILES', 'FROZEN_MOVED'])(
    'a folder that can not be set up with the work (%s) is a refusal',
    async (code) => {
      const shell = shellThat(GREEN);
      const { checks, order } = await withCheckout(
        Object.assign(new Error('no such lock'), { code }),
        shell,
      );
      expect(await checks.accept(order, replyOf(task), journal())).toEqual({
        kind: 'refused',
        cause: 'verify',
        detail: 'verify exited with 126',
        findings: 'no such lock',
      });
      expect(shell.calls).toEqual([]);
    },
  );

  it('any other failure to make the folder judges nobody', async () => {
    const full = Object.assign(new Error('disk full'), { code: 'ENOSPC' });
    const { checks, order } = await withCheckout(full, shellThat(GREEN));
    await expect(checks.accept(order, replyOf(task), journal())).rejects.toBe(full);
  });

  async function withCheckout(failure: Error, shell: Shell) {
    const { workspace, order } = await setUp(task);
    const failing = { ...workspace, checkout: () => Promise.reject(failure) };
    return { order, checks: acceptance({ workspace: failing, shell, commandMs: 90_000 }) };
  }
});

describe('the trial merge', () => {
  it('refuses what conflicts with what is merged already', async () => {
    const task = { id: 'T-1' };
    const { checks, order, workspace } = await setUp(task);
    await workspace.work({ taskId: 'T-0', attempt: 1 }, { files: { 'f.txt': 'other\n' } });
    const { commit = '' } = (await workspace.changeSet({ taskId: 'T-0', attempt: 1 })) ?? {};
    await workspace.publish({ from: await workspace.tip(), to: commit });
    expect(verdictOf(await checks.accept(order, replyOf(task), journal()))).toBe(
      'conflict: its changes conflict with what is merged already: f.txt',
    );
  });

  it('tells of conflicts with other work of the wave at once, and refuses nothing for them', async () => {
    const task = { id: 'T-1' };
    const { checks, order, workspace } = await setUp(task);
    const at = { attempt: 1 };
    const same = await workspace.work({ taskId: 'T-2', ...at }, { files: { 'f.txt': 'other\n' } });
    const apart = await workspace.work({ taskId: 'T-3', ...at }, { files: { 'g.txt': 'g\n' } });
    const siblings = [
      acceptedWork({ id: 'T-2' }, { commit: same ?? '' }),
      acceptedWork({ id: 'T-3' }, { commit: apart ?? '' }),
      acceptedWork({ id: 'T-4' }, { base: 'x' }),
      acceptedWork({ id: 'T-5' }, undefined),
      acceptedWork({ id: 'T-6' }, ['commit']),
    ];
    const verdict = await checks.accept(order, replyOf(task), journal(siblings));
    expect(verdict).toMatchObject({
      kind: 'accepted',
      evidence: { conflicts: [{ taskId: 'T-2', paths: ['f.txt'] }] },
    });
  });
});

describe('options', () => {
  const workspace = memoryWorkspace();

  it('a gate without a shell is refused when the acceptance is made', () => {
    expect(() => acceptance({ workspace, gate: 'make', commandMs: 1 })).toThrow(
      expect.objectContaining({ code: 'SHELL_REQUIRED', hint: expect.any(String) }),
    );
    expect(() => acceptance({ workspace, gate: ' ', commandMs: 1 })).not.toThrow();
  });

  it.each([0, 1.5, Number.NaN, Number.POSITIVE_INFINITY])(
    'commandMs %s is refused',
    (commandMs) => {
      expect(() => acceptance({ workspace, commandMs })).toThrow(AcceptanceError);
    },
  );
});
