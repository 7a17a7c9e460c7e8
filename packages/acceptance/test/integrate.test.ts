import { describe, expect, it } from 'vitest';
import { acceptance, memoryWorkspace, type ShellEnd } from '../src/index.ts';
import { acceptedWork, journal, WAVE } from './attempts.ts';
import { summary, tasksIn, wave, without } from './wave.ts';

const ids = (...names: string[]) => names.map((id) => ({ id }));
const green = () => true;

describe('without a gate', () => {
  it('merges in the given order; a conflict is the task’s, and the rest is merged', async () => {
    const workspace = memoryWorkspace({ f: 'base' });
    const checks = acceptance({ workspace, commandMs: 1 });
    const accepted = [];
    for (const [id, files] of [
      ['b', { f: 'b' }],
      ['a', { f: 'a' }],
      ['c', { g: 'c' }],
    ] as const) {
      const commit = await workspace.work({ taskId: id, attempt: 1 }, { files });
      accepted.push(acceptedWork({ id }, { commit: commit ?? '', base: 'commit-1' }));
    }
    accepted.push(
      acceptedWork({ id: 'd' }, { base: 'commit-1' }),
      acceptedWork({ id: 'e' }, undefined),
    );
    const results = await checks.integrate?.(WAVE, accepted, journal());
    const tip = await workspace.tip();
    expect(results).toEqual([
      {
        kind: 'merged',
        taskId: 'b',
        evidence: { commit: 'commit-2', base: 'commit-1', merge: 'commit-5' },
      },
      {
        kind: 'refused',
        taskId: 'a',
        cause: 'conflict',
        detail: 'its changes conflict with what is merged already: f',
      },
      {
        kind: 'merged',
        taskId: 'c',
        evidence: { commit: 'commit-4', base: 'commit-1', merge: tip },
      },
      { kind: 'merged', taskId: 'd', evidence: { base: 'commit-1' } },
      { kind: 'merged', taskId: 'e' },
    ]);
    expect(Object.fromEntries(workspace.files(tip) ?? [])).toEqual({ f: 'b', g: 'c' });
  });

  it('says the same when it is asked again after a crash, and merges nothing twice', async () => {
    const workspace = memoryWorkspace();
    const checks = acceptance({ workspace, commandMs: 1 });
    const commit = await workspace.work({ taskId: 'a', attempt: 1 }, { files: { a: 'a' } });
    const accepted = [acceptedWork({ id: 'a' }, { commit: commit ?? '' })];
    const first = await checks.integrate?.(WAVE, accepted, journal());
    const tip = await workspace.tip();
    expect(await checks.integrate?.(WAVE, accepted, journal())).toEqual(first);
    expect(await workspace.tip()).toBe(tip);
  });
});

describe('the wave gate', () => {
  it('green: the wave is merged after one run', async () => {
    const { integrate, asked, workspace, notes } = await wave(ids('a', 'b', 'c'), green);
    expect(summary(await integrate())).toEqual(['merged a', 'merged b', 'merged c']);
    expect(asked).toEqual(['a b c']);
    const commit = await workspace.tip();
    expect(notes).toEqual([
      { kind: 'ran', commit, taskIds: ['a', 'b', 'c'], green: true, detail: 'passed' },
    ]);
  });

  it('red: the culprit is named with the output, and the others are merged', async () => {
    const { integrate, workspace } = await wave(
      ids('a', 'b', 'c', 'd', 'e', 'f'),
      without(['b', 'e']),
    );
    const results = await integrate();
    expect(summary(results)).toEqual([
      'merged a',
      'merged b',
      'merged c',
      'merged d',
      'wave-gate e',
      'merged f',
    ]);
    expect(results[4]).toEqual({
      kind: 'refused',
      taskId: 'e',
      cause: 'wave-gate',
      detail: 'the gate is red with its changes: exited with 1',
      findings: 'red with a b c d e',
    });
    expect([...tasksIn(workspace.files(await workspace.tip()))].sort()).toEqual([...'abcdf']);
    expect(workspace.checkouts.size).toBe(0);
  });

  it('a task that is red alone is the culprit when the gate is green without it', async () => {
    const { integrate, asked } = await wave(ids('a', 'b'), without(['a', 'a']));
    expect(summary(await integrate())).toEqual(['wave-gate a', 'merged b']);
    expect(asked).toEqual(['a b', 'a', '', 'b']);
  });

  it('several culprits are found one after another', async () => {
    const { integrate } = await wave(ids('a', 'b', 'c', 'd'), without(['a', 'b'], ['c', 'd']));
    expect(summary(await integrate())).toEqual([
      'merged a',
      'wave-gate b',
      'merged c',
      'wave-gate d',
    ]);
  });

  it('what conflicted with a culprit gets another chance, what conflicted before it does not', async () => {
    const { integrate } = await wave(
      [
        { id: 'a', files: { 'shared.txt': 'a' } },
        { id: 'b', files: { 'shared.txt': 'b' } },
        { id: 'c', files: { 'other.txt': 'c' } },
        { id: 'd', files: { 'other.txt': 'd' } },
      ],
      without(['c', 'c']),
    );
    expect(summary(await integrate())).toEqual([
      'merged a',
      'conflict b',
      'wave-gate c',
      'merged d',
    ]);
  });

  it('a gate that is red without any of the work judges nobody: it throws, nothing is merged', async () => {
    const { integrate, workspace } = await wave(ids('a', 'b'), () => false);
    const tip = await workspace.tip();
    await expect(integrate()).rejects.toMatchObject({
      code: 'BASE_RED',
      message:
        'the gate exited with 1 without any work of this wave, so nobody’s work was judged by it: red with',
    });
    expect(await workspace.tip()).toBe(tip);
    expect(workspace.checkouts.size).toBe(0);
  });

  it('a set-up that fails is red: its culprit is found, and a base with which it fails is nobody’s fault', async () => {
    const settingUp = (breaks: (tasks: ReadonlySet<string>) => boolean) =>
      wave(ids('a', 'b', 'c'), green, (workspace) => ({
        workspace: {
          ...workspace,
          async checkout(name, signal) {
            if (breaks(tasksIn(workspace.files(name))))
              throw Object.assign(new Error('no such package'), { code: 'SETUP_FAILED' });
            return workspace.checkout(name, signal);
          },
        },
      }));
    const results = await (await settingUp((tasks) => tasks.has('b'))).integrate();
    expect(summary(results)).toEqual(['merged a', 'wave-gate b', 'merged c']);
    expect(results[1]).toMatchObject({
      detail: 'the gate is red with its changes: exited with 126',
      findings: 'no such package',
    });
    const broken = await settingUp(() => true);
    await expect(broken.integrate()).rejects.toMatchObject({ code: 'BASE_RED' });
  });

  it('is not asked when there is nothing to merge', async () => {
    const { integrate, asked } = await wave(ids('a'), green);
    const first = await integrate();
    expect(await integrate([acceptedWork({ id: 'z' }, undefined)])).toEqual([
      { kind: 'merged', taskId: 'z' },
    ]);
    // A host that died between the merge and its journal asks again.
    expect(await integrate()).toEqual(first);
    expect(asked).toHaveLength(1);
  });

  it('a resumed integration knows merged work from new work', async () => {
    const { integrate, accepted, workspace } = await wave(ids('a', 'b', 'c'), without(['b', 'c']));
    const [first] = await integrate(accepted.slice(0, 1));
    expect(await integrate()).toEqual([
      first,
      expect.objectContaining({ kind: 'merged', taskId: 'b' }),
      expect.objectContaining({ cause: 'wave-gate', taskId: 'c' }),
    ]);
    expect(tasksIn(workspace.files(await workspace.tip()))).toEqual(new Set(['a', 'b']));
  });

  it('a timeout is red', async () => {
    const slow: ShellEnd = { kind: 'timeout', output: 'waiting' };
    const { integrate } = await wave(ids('a', 'b'), green, (workspace, shell) => ({
      shell: async (call) =>
        tasksIn(workspace.files(call.worktree)).has('b') ? slow : shell(call),
    }));
    expect((await integrate())[1]).toMatchObject({
      cause: 'wave-gate',
      detail: 'the gate is red with its changes: timed out after 60 s',
      findings: 'waiting',
    });
  });

  it.each<[ShellEnd, string]>([
    [{ kind: 'failed', detail: 'no\nwalls' }, 'could not be run: no\\x0awalls'],
    [{ kind: 'stopped', output: 'x\ny' }, 'was stopped: x | y'],
  ])('a gate that gave no verdict throws, and nothing is merged: %j', async (end, how) => {
    const { integrate, workspace } = await wave(ids('a'), green, () => ({
      shell: async () => end,
    }));
    const tip = await workspace.tip();
    await expect(integrate()).rejects.toMatchObject({
      code: 'GATE_NOT_RUN',
      message: `the gate ${how}; nothing was merged`,
    });
    expect(await workspace.tip()).toBe(tip);
    expect(workspace.checkouts.size).toBe(0);
  });

  it('runs in a fresh checkout that goes, even when the shell throws or the run is stopped', async () => {
    const paths: string[] = [];
    const stop = new AbortController();
    const { integrate, workspace, accepted } = await wave(ids('a', 'b'), green, () => ({
      shell: async ({ worktree, signal }) => {
        paths.push(worktree);
        expect(workspace.checkouts).toEqual(new Set([worktree]));
        if (paths.length === 1) throw new Error('broken shell');
        stop.abort();
        expect(signal?.aborted).toBe(true);
        return { kind: 'stopped', output: '' };
      },
    }));
    const tip = await workspace.tip();
    await expect(integrate()).rejects.toThrow('broken shell');
    expect(workspace.checkouts.size).toBe(0);
    await expect(integrate(accepted, stop.signal)).rejects.toMatchObject({ name: 'AbortError' });
    expect(workspace.checkouts.size).toBe(0);
    expect(new Set(paths).size).toBe(2);
    expect(await workspace.tip()).toBe(tip);
  });

  it('a checkout that can not be removed is told and changes no verdict', async () => {
    const told: unknown[] = [];
    const workspace = memoryWorkspace();
    const commit = await workspace.work({ taskId: 'a', attempt: 1 }, { files: { a: 'a' } });
    const checks = acceptance({
      workspace: {
        ...workspace,
        checkout: async (name) => ({
          ...(await workspace.checkout(name)),
          dispose: () => Promise.reject(new Error('busy')),
        }),
      },
      shell: async () => ({ kind: 'exited', exitCode: 0, output: '' }),
      gate: 'gate',
      commandMs: 1,
      onGate(note) {
        told.push(note);
        throw new Error('a broken listener');
      },
    });
    const accepted = [acceptedWork({ id: 'a' }, { commit: commit ?? '' })];
    expect(summary((await checks.integrate?.(WAVE, accepted, journal())) ?? [])).toEqual([
      'merged a',
    ]);
    expect(told).toMatchObject([{ kind: 'left-behind', detail: 'Error: busy' }, { kind: 'ran' }]);
  });
});

describe('a host that was killed in the middle of a wave', () => {
  async function interrupted(gate: string, exitCode: number) {
    const workspace = memoryWorkspace();
    const commit = await workspace.work({ taskId: 'a', attempt: 1 }, { files: { a: 'a' } });
    const asked: string[] = [];
    const checks = (command: string, code: number, moves = true) =>
      acceptance({
        workspace: moves
          ? workspace
          : { ...workspace, publish: () => Promise.reject(new Error('killed')) },
        shell: async ({ command }) => {
          asked.push(command);
          return { kind: 'exited', exitCode: code, output: '' };
        },
        gate: command,
        commandMs: 1,
      });
    const accepted = [acceptedWork({ id: 'a' }, { commit: commit ?? '' })];
    const remembered = journal();
    const killed = checks('first', exitCode, false);
    await expect(killed.integrate?.(WAVE, accepted, remembered)).rejects.toThrow();
    const results = await checks(gate, 0).integrate?.(WAVE, accepted, remembered);
    return { asked, results: summary(results ?? []) };
  }

  it.each([
    ['files that the gate passed are not put to it again', 'first', 0, ['first']],
    ['to another gate they are', 'second', 0, ['first', 'second']],
    ['red files are: what was wrong may be mended', 'first', 1, ['first', 'first', 'first']],
  ])('%s', async (_name, gate, exitCode, expected) => {
    const { asked, results } = await interrupted(gate, exitCode);
    expect(asked).toEqual(expected);
    expect(results).toEqual(['merged a']);
  });
});

describe('somebody else moves the branch', () => {
  it('the work is merged again, onto what is there now, and judged there', async () => {
    const { integrate, workspace, asked } = await wave(ids('a', 'b'), green, (memory) => ({
      workspace: {
        ...memory,
        async publish(move) {
          if (!tasksIn(memory.files(await memory.tip())).has('z')) {
            await memory.work({ taskId: 'z', attempt: 1 }, { files: { 'task/z': 'z' } });
            const { commit = '' } = (await memory.changeSet({ taskId: 'z', attempt: 1 })) ?? {};
            await memory.publish({ from: await memory.tip(), to: commit });
          }
          return memory.publish(move);
        },
      },
    }));
    expect(summary(await integrate())).toEqual(['merged a', 'merged b']);
    expect(asked).toEqual(['a b', 'z a b']);
    expect(tasksIn(workspace.files(await workspace.tip()))).toEqual(new Set(['z', 'a', 'b']));
  });

  it('not for ever', async () => {
    let tries = 0;
    const { integrate } = await wave(ids('a'), green, (memory) => ({
      workspace: {
        ...memory,
        publish: async () => {
          tries += 1;
          return false;
        },
      },
    }));
    await expect(integrate()).rejects.toMatchObject({ code: 'BRANCH_MOVED' });
    expect(tries).toBe(5);
  });
});
