import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Attestation } from '@atelier/cli-transport';
import { platformSandbox } from '@atelier/sandbox';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { executionsIn } from '../src/executions.ts';
import { type Figures, judge, treeOf } from '../src/judge.ts';
import { eventsOf } from '../src/run-events.ts';
import { BRANCH, makeScene, type Scene } from '../src/scene.ts';
import { clear } from '../src/trial.ts';
import { runToEnd } from '../src/uninterrupted.ts';

let attestation: Attestation;
const NONE: Figures = {
  lost: 0,
  doubled: 0,
  mergedTwice: 0,
  overBudget: 0,
  processesLeft: 0,
  worktreesLeft: 0,
  wasted: 0,
  differs: 0,
};

beforeAll(async () => {
  attestation = await platformSandbox().selfTest();
});

/** Has a worker's program do its work once more, outside of any run. */
const worker = (scene: Scene, taskId: string, attempt: number): ChildProcess => {
  const cwd = mkdtempSync(join(scene.temporary, 'work-'));
  const env = {
    PATH: '/usr/bin:/bin',
    ATELIER_TASK_ID: taskId,
    ATELIER_ATTEMPT: String(attempt),
    ATELIER_REPLY_FILE: join(cwd, 'reply'),
  };
  return spawn('/bin/sh', [scene.worker, scene.told], { cwd, env, stdio: 'ignore' });
};

describe('a figure is not 0 when what it counts has happened', () => {
  let scene: Scene;
  let tree: string;
  let tip: string;
  const figures = async () => (await judge(scene, tree)).figures;

  beforeAll(async () => {
    scene = makeScene('short');
    await runToEnd(scene, { attestation });
    tree = treeOf(scene);
    tip = scene.git('rev-parse', BRANCH).trim();
    expect(await figures()).toEqual(NONE);
  }, 300_000);
  beforeEach(() => void scene.git('update-ref', BRANCH, tip));
  afterAll(() => {
    clear(scene);
    scene.remove();
  });

  it('a branch that was set back has lost a task, and differs', async () => {
    scene.git('update-ref', BRANCH, `${tip}^`);
    expect(await figures()).toEqual({ ...NONE, lost: 1, differs: 1 });
  });

  it('the same commit, or the same change in another commit, merged again', async () => {
    const merge = (commit: string) => {
      const onto = scene.git('rev-parse', BRANCH).trim();
      const parents = ['-p', onto, '-p', commit];
      const made = scene.git('commit-tree', ...parents, '-m', 'Merge task again', `${onto}^{tree}`);
      scene.git('update-ref', BRANCH, made.trim());
    };
    const work = scene.git('rev-parse', `${BRANCH}^2`).trim();
    merge(work);
    expect(await figures()).toEqual({ ...NONE, mergedTwice: 1 });
    scene.git('update-ref', BRANCH, tip);
    const copy = scene.git('commit-tree', '-p', `${work}^`, '-m', 'copy', `${work}^{tree}`);
    merge(copy.trim());
    expect(await figures()).toEqual({ ...NONE, mergedTwice: 1 });
  });

  it('a worktree or a lock that was left, and a checkout that was touched', async () => {
    const path = join(scene.stateDir, 'left');
    scene.git('worktree', 'add', '--quiet', '--detach', path);
    const lock = join(scene.repo, '.git', 'refs', 'heads', 'main.lock');
    writeFileSync(lock, '');
    writeFileSync(join(scene.repo, 'stray'), '');
    const { worktreesLeft, ...rest } = await figures();
    expect(worktreesLeft).toBeGreaterThanOrEqual(4);
    expect(rest).toEqual({ ...NONE, differs: 1, worktreesLeft: undefined });
    scene.git('worktree', 'remove', '--force', path);
    spawnSync('rm', [lock, join(scene.repo, 'stray')]);
    expect(await figures()).toEqual(NONE);
  });

  it('a process that has a nonce of the run', async () => {
    const charge = (await eventsOf(scene)).find(({ type }) => type === 'attempt.started');
    const nonce = charge && 'nonce' in charge ? charge.nonce : 'none';
    const env = { ATELIER_NONCE: nonce };
    const sleeper = spawn('/bin/sleep', ['60'], { env, stdio: 'ignore' });
    const seen = await figures();
    sleeper.kill('SIGKILL');
    await once(sleeper, 'exit');
    expect(seen).toEqual({ ...NONE, processesLeft: 1 });
  });

  it('an execution that nobody charged, a repeated one, one that did not count, and two at once', async () => {
    await once(worker(scene, 'essay', 4), 'exit');
    expect(await figures()).toEqual({ ...NONE, overBudget: 1 });
    await once(worker(scene, 'stem', 1), 'exit');
    expect(await figures()).toEqual({ ...NONE, overBudget: 1, doubled: 1 });
    // The journal has that this attempt failed.
    const reply = `end flaky 1 ${process.pid}\n`;
    appendFileSync(join(scene.told, 'executions'), `start flaky 1 ${process.pid} alone\n${reply}`);
    expect(await figures()).toEqual({ ...NONE, overBudget: 1, doubled: 2, wasted: 1 });
    const first = worker(scene, 'stem', 1);
    const starts = () => executionsIn(scene.told).filter(({ taskId }) => taskId === 'stem').length;
    while (starts() < 3) await new Promise((resolve) => setTimeout(resolve, 10));
    await Promise.all([once(first, 'exit'), once(worker(scene, 'stem', 1), 'exit')]);
    // Two more repetitions, one of them beside the other.
    expect(await figures()).toEqual({ ...NONE, overBudget: 1, doubled: 5, wasted: 1 });
  });
});
