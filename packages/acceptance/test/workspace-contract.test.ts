import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { memoryWorkspace, type Workspace } from '../src/index.ts';
import { attempt, start, write } from './repository.ts';

const FILES = { 'f.txt': 'base\n', 'g.txt': 'g\n' };

interface Made {
  readonly workspace: Workspace;
  /** Saves the first attempt of a task; `null` deletes a file. */
  work(taskId: string, files: Readonly<Record<string, string | null>>): Promise<string | undefined>;
}

async function inMemory(): Promise<Made> {
  const workspace = memoryWorkspace(FILES);
  return { workspace, work: (taskId, files) => workspace.work({ taskId, attempt: 1 }, { files }) };
}

async function inGit(): Promise<Made> {
  const started = await start(FILES);
  const work: Made['work'] = async (taskId, files) => {
    const { commit } = await attempt(started, taskId, (path) => {
      for (const [name, text] of Object.entries(files))
        if (text === null) rmSync(join(path, name));
        else write(path, { [name]: text });
    });
    return commit;
  };
  return { workspace: started.run, work };
}

describe.each([
  ['the workspace in memory', inMemory],
  ['a run of @atelier/worktrees', inGit],
])('%s', (_name, make) => {
  it('tells what an attempt changed, as it was saved', async () => {
    const { workspace, work } = await make();
    const base = await workspace.tip();
    const commit = await work('a', { 'f.txt': 'new\n', 'g.txt': null, 'new dir/ö': 'x\ny\n' });
    expect(await workspace.changeSet({ taskId: 'a', attempt: 1 })).toEqual({
      base,
      commit,
      changes: [
        { path: 'f.txt', status: 'modified', insertions: 1, deletions: 1 },
        { path: 'g.txt', status: 'deleted', insertions: 0, deletions: 1 },
        { path: 'new dir/ö', status: 'added', insertions: 2, deletions: 0 },
      ],
      ignored: [],
      nested: [],
      refused: [],
    });
    expect(await work('b', {})).toBeUndefined();
    expect(await workspace.changeSet({ taskId: 'b', attempt: 1 })).toEqual({
      base,
      changes: [],
      ignored: [],
      nested: [],
      refused: [],
    });
    expect(await workspace.changeSet({ taskId: 'a', attempt: 2 })).toBeUndefined();
  });

  it('hashes what is committed, and leaves out what is not', async () => {
    const { workspace, work } = await make();
    const commit = (await work('a', { 'f.txt': 'new\n' })) ?? '';
    const [fact, ...rest] = await workspace.facts(commit, ['f.txt', 'gone', 'f.txt/x', '']);
    expect(rest).toEqual([]);
    expect(fact).toEqual({
      path: 'f.txt',
      sha256: '7aa7a5359173d05b63cfd682e3c38487f3cb4f7f1d60659fe59fab1505977d4c',
      bytes: 4,
    });
  });

  it('proposes merges in order without moving the branch, and publishes by compare-and-swap', async () => {
    const { workspace, work } = await make();
    const base = await workspace.tip();
    const offers = [];
    for (const [taskId, files] of [
      ['a', { 'f.txt': 'a\n' }],
      ['b', { 'f.txt': 'b\n' }],
      ['c', { 'c.txt': 'c\n' }],
    ] as const)
      offers.push({ taskId, commit: (await work(taskId, files)) ?? '' });
    expect(await workspace.conflicts(offers[1]?.commit ?? '')).toEqual([]);
    expect(await workspace.conflicts(offers[1]?.commit ?? '', offers[0]?.commit)).toEqual([
      'f.txt',
    ]);
    const proposal = await workspace.propose(offers);
    expect(proposal.onto).toBe(base);
    expect(proposal.merges).toMatchObject([
      { kind: 'merged', taskId: 'a' },
      { kind: 'conflict', taskId: 'b', paths: ['f.txt'] },
      { kind: 'merged', taskId: 'c', commit: proposal.tip },
    ]);
    expect(await workspace.tip()).toBe(base);
    expect(await workspace.publish({ from: base, to: proposal.tip })).toBe(true);
    expect(await workspace.publish({ from: base, to: proposal.tip })).toBe(false);
    expect(await workspace.tip()).toBe(proposal.tip);
    expect(await workspace.conflicts(offers[1]?.commit ?? '')).toEqual(['f.txt']);
    // What is merged already keeps its merge and adds none.
    const again = await workspace.propose(offers);
    expect(again.tip).toBe(proposal.tip);
    expect(again.merges).toEqual(proposal.merges);
    const [first] = proposal.merges;
    const onto = first?.kind === 'merged' ? first.commit : '';
    expect((await workspace.propose(offers.slice(0, 1), onto)).tip).toBe(onto);
    expect((await workspace.propose(offers.slice(2), onto)).onto).toBe(onto);
  });

  it('checks out any commit, each time elsewhere', async () => {
    const { workspace, work } = await make();
    const commit = (await work('a', { 'f.txt': 'a\n' })) ?? '';
    const [one, other] = await Promise.all([
      workspace.checkout(commit),
      workspace.checkout(commit),
    ]);
    expect(one?.path).not.toBe(other?.path);
    expect(one?.frozen).toEqual([]);
    await one?.dispose();
    await other?.dispose();
    await expect(workspace.checkout(commit, AbortSignal.abort())).rejects.toThrow();
    await expect(workspace.checkout('no-such-commit')).rejects.toThrow();
  });
});
