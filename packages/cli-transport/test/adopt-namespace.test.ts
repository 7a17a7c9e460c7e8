import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AttemptHandle } from '@atelier/engine';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { crashHost, killWorker, rewriteMeta } from './crash.ts';
import { startHost } from './host-process.ts';
import { livingWith, textOf, until } from './living.ts';
import {
  type Adopter,
  CONTAINER,
  FOREIGN_PROC,
  hasContainers,
  lastingContainer,
  nodeBelow,
  startAdopter,
} from './namespace.ts';
import { ATTESTED, CONFINEMENTS, envelope, leaves, type Stage, spool, stage } from './stage.ts';

let on: Stage;
let forever: string;

beforeEach(() => {
  forever = `100000.${process.pid}${Date.now()}`;
});
afterEach(() => on.close());

const adopt = async (): Promise<AttemptHandle | undefined> =>
  on.transport('/bin/false').adopt?.(on.order(), new AbortController().signal);

const recordedPid = () => Number.parseInt(textOf(spool(on).supervisor), 10);

describe.skipIf(!hasContainers()).each(CONFINEMENTS)(
  'in a container, a worker %s',
  (_, confinement) => {
    let container: ChildProcess | undefined;

    beforeEach(() => {
      on = stage(confinement);
    });
    afterEach(async () => {
      if (container?.exitCode !== null || container.signalCode !== null) return;
      const gone = once(container, 'exit');
      container.kill('SIGKILL');
      await gone;
    });

    const start = async (under: readonly string[], body: string) => {
      container = await startHost({
        program: on.script(body),
        runDir: on.runDir,
        orders: [on.order()],
        sandboxed: confinement.kind === 'sandboxed',
        under,
      });
      await until(() => textOf(spool(on).stdout).includes('ready'));
    };

    const killInside = async () => {
      const host = nodeBelow(on.runDir);
      process.kill(host, 'SIGKILL');
      await until(() => textOf(`/proc/${host}/cmdline`) === '');
    };

    it('ends with it, and is lost', async () => {
      await start(CONTAINER, `setsid sleep ${forever} & echo ready; exec sleep ${forever}`);
      const gone = container && once(container, 'exit');
      process.kill(nodeBelow(on.runDir), 'SIGKILL');
      await gone;
      expect(livingWith(forever)).toEqual([]);
      expect(await adopt()).toBeUndefined();
    });

    it('is adopted from outside, by the number that it has there', async () => {
      const go = join(on.worktree, 'go');
      await start(
        lastingContainer(forever),
        `echo ready; until [ -e '${go}' ]; do sleep 0.02; done; ${leaves()}`,
      );
      await killInside();
      const handle = await adopt();
      expect(handle?.worker).toEqual({ pid: expect.any(Number), startedAt: expect.any(String) });
      const { pid } = { pid: 0, ...(handle?.worker as object) };
      expect(pid).not.toBe(recordedPid());
      expect(textOf(`/proc/${pid}/status`)).toMatch(
        new RegExp(`^NSpid:.*\\t${recordedPid()}$`, 'm'),
      );
      expect(handle?.wallClockLeftMs).toBeGreaterThan(0);
      writeFileSync(go, '');
      expect(await handle?.report).toEqual({ kind: 'replied', reply: envelope() });
    });

    it('is ended from outside, children and all', async () => {
      const mark = `${forever}7`;
      const body = `setsid sleep ${mark} & echo ready; exec sleep ${mark}`;
      await start(lastingContainer(forever), body);
      await killInside();
      const handle = await adopt();
      await handle?.stop('interrupted');
      expect(livingWith(mark)).toEqual([]);
      expect(await handle?.report).toMatchObject({ cause: 'interrupted' });
    });

    it('leaves nothing behind when it can not be adopted from outside', async () => {
      const mark = `${forever}7`;
      await start(
        lastingContainer(forever),
        `setsid sleep ${mark} & echo ready; exec sleep ${mark}`,
      );
      await killInside();
      rewriteMeta(on, '{"taskId": "T-1", "att');
      expect(await adopt()).toBeUndefined();
      expect(livingWith(mark)).toEqual([]);
    });
  },
);

describe.skipIf(!hasContainers()).each([
  ['in a container', CONTAINER],
  ['in a pid namespace with the /proc of another', FOREIGN_PROC],
])('for a later host %s, a worker outside', (_name, under) => {
  let adopter: Adopter | undefined;

  beforeEach(() => {
    on = stage(ATTESTED);
  });
  afterEach(async () => {
    await adopter?.end();
    adopter = undefined;
  });

  const crash = (body: string) => crashHost(on, ATTESTED, { body });
  const adoptInside = async () => {
    adopter = await startAdopter(under, { runDir: on.runDir, order: on.order() });
    return adopter;
  };

  it('is watched through its lock, and its reply counts', async () => {
    const go = join(on.worktree, 'go');
    await crash(`echo ready; until [ -e '${go}' ]; do sleep 0.02; done; ${leaves()}`);
    const { found, ask } = await adoptInside();
    expect(found).toEqual({
      wallClockLeftMs: expect.any(Number),
      worker: {
        pid: recordedPid(),
        pidNamespace: expect.stringMatching(/^pid:\[\d+\]$/),
        startedAt: expect.any(String),
      },
    });
    writeFileSync(go, '');
    expect(await ask('report')).toEqual({ kind: 'replied', reply: envelope() });
  });

  it('is lost when it ends without a reply', async () => {
    await crash(`echo ready; exec sleep ${forever}`);
    const { ask } = await adoptInside();
    await killWorker(on, forever);
    expect(await ask('report')).toMatchObject({ kind: 'failed', cause: 'lost' });
  });

  it('can not be ended, which is said, and nothing else is ended for it', async () => {
    await crash(`echo ready; exec sleep ${forever}`);
    const before = livingWith(forever);
    const { ask } = await adoptInside();
    expect(await ask('stop')).toEqual({ code: 'WORKER_UNSTOPPABLE' });
    expect(await ask('report')).toMatchObject({ kind: 'failed', cause: 'unstoppable' });
    expect(livingWith(forever)).toEqual(before);
  });

  it('is no longer waited for at its deadline', async () => {
    await crash(`echo ready; exec sleep ${forever}`);
    rewriteMeta(on, { deadlineMs: 1 });
    const { found, ask } = await adoptInside();
    expect(found).toMatchObject({ wallClockLeftMs: 0 });
    expect(await ask('report')).toMatchObject({ kind: 'failed', cause: 'unstoppable' });
  });

  it('is not given up when nobody can tell whose it is', async () => {
    await crash(`echo ready; exec sleep ${forever}`);
    rewriteMeta(on, 'torn');
    const { found, ask } = await adoptInside();
    expect(found).not.toBeNull();
    expect(await ask('report')).toMatchObject({ kind: 'failed', cause: 'unstoppable' });
    expect(livingWith(forever)).not.toEqual([]);
  });

  it('is lost when it was gone before', async () => {
    await crash(`echo ready; exec sleep ${forever}`);
    await killWorker(on, forever);
    expect((await adoptInside()).found).toBeNull();
  });
});

describe('a process that by chance has the number and the start of a supervisor', () => {
  it.each([
    ['of another pid namespace', 'pid:[1]'],
    ['of a pid namespace whose name was given again', undefined],
  ])('%s, is not touched', async (_name, pidNamespace) => {
    on = stage(ATTESTED);
    await crashHost(on, ATTESTED, { body: `echo ready; exec sleep ${forever}` });
    await killWorker(on, forever);
    const env = { ATELIER_NONCE: 'of another attempt' };
    const bystander = spawn('/bin/sleep', [forever], { env, detached: true, stdio: 'ignore' });
    const ended = once(bystander, 'exit');
    onTestFinished(() => void bystander.kill('SIGKILL'));
    await until(() => livingWith(forever).length === 1);
    writeFileSync(spool(on).supervisor, readFileSync(`/proc/${bystander.pid}/stat`));
    if (pidNamespace) rewriteMeta(on, { pidNamespace });
    const handle = await adopt();
    await handle?.stop('interrupted');
    await on.close();
    expect(handle).toBeUndefined();
    expect(livingWith(forever)).toEqual([bystander.pid]);
    bystander.kill('SIGKILL');
    await ended;
  });
});
