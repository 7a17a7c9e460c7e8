import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AttemptHandle, WorkOrder } from '@atelier/engine';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { makeAttemptFolder } from '../src/attempt-folder.ts';
import { metaOf, writeMeta } from '../src/attempt-meta.ts';
import { commandAgent, spoolOf } from '../src/index.ts';
import { settingsOf } from '../src/options.ts';
import { givePermit } from '../src/start-permit.ts';
import { supervisorCommand } from '../src/supervisor.ts';
import { makeLocks } from '../src/worker-lock.ts';
import { killHost, spawnHost, startHost } from './host-process.ts';
import { livingWith, textOf, until } from './living.ts';
import { ATTESTED, CONFINEMENTS, envelope, leaves, type Stage, spool, stage } from './stage.ts';

let on: Stage;
let forever: string;

beforeEach(() => {
  forever = `100000.${process.pid}${Date.now()}`;
});
afterEach(() => on.close());

const adopt = async (order: Partial<WorkOrder> = {}): Promise<AttemptHandle | undefined> =>
  on.transport('/bin/false').adopt?.(on.order(order), new AbortController().signal);

const task = (id: string) => ({ task: { id, parallel_group: 1 }, nonce: `${on.folder}-${id}` });

describe.each(CONFINEMENTS)(
  'O-47: a host that is killed with three workers %s',
  (_, confinement) => {
    beforeEach(() => {
      on = stage(confinement);
    });

    const start = async (body: string, ids: readonly string[]) => {
      const host = await startHost({
        program: on.script(body),
        runDir: on.runDir,
        orders: ids.map((id) => on.order(task(id))),
        sandboxed: confinement.kind === 'sandboxed',
      });
      await until(() => ids.every((id) => textOf(spoolOf(on.runDir, id, 1).stdout) === 'ready\n'));
      await killHost(host);
    };
    const pidOf = (id: string) => Number.parseInt(textOf(spoolOf(on.runDir, id, 1).supervisor), 10);

    it('leaves them running, and the next one goes on with each of them', async () => {
      const ids = ['A', 'B', 'C'];
      const go = join(on.worktree, 'go');
      await start(
        `echo ready; until [ -e '${go}' ]; do sleep 0.02; done; echo "$ATELIER_TASK_ID"; exit 3`,
        ids,
      );
      const handles = await Promise.all(ids.map((id) => adopt(task(id))));
      expect(handles.map((handle) => handle?.worker)).toMatchObject(
        ids.map((id) => ({ pid: pidOf(id) })),
      );
      writeFileSync(go, '');
      for (const handle of handles) expect(await handle?.report).toMatchObject({ exitCode: 3 });
      expect(ids.map((id) => textOf(spoolOf(on.runDir, id, 1).stdout))).toEqual(
        ids.map((id) => `ready\n${id}\n`),
      );
    });

    it('and one of which nothing can be read does not hinder the others', async () => {
      const ids = ['A', 'B', 'C', 'D'];
      await start(`setsid sleep ${forever} & echo ready; exec sleep ${forever}`, ids);
      const [, b, c, d] = ids.map((id) => spoolOf(on.runDir, id, 1));
      for (const path of [b?.meta, c?.supervisor]) {
        rmSync(path ?? '');
        mkdirSync(path ?? '');
      }
      rmSync(d?.path ?? '', { recursive: true });
      writeFileSync(d?.path ?? '', 'not a folder');
      const handles = await Promise.all(ids.map((id) => adopt(task(id))));
      expect(handles.map((handle) => handle !== undefined)).toEqual([true, false, false, false]);
      await handles[0]?.stop('interrupted');
      expect(livingWith(forever)).toEqual([]);
    });
  },
);

describe('an attempt whose host was killed while it started', () => {
  beforeEach(() => {
    on = stage(ATTESTED);
  });

  /** All that a host does before it starts the supervisor, and the supervisor's own call. */
  const prepare = (body: string) => {
    const { runDir } = on;
    const order = on.order();
    const settings = settingsOf({
      ...{ agent: commandAgent({ program: 'false' }), confinement: ATTESTED, runDir },
    });
    const folder = spoolOf(runDir, order.task.id, order.attempt);
    makeAttemptFolder(folder);
    writeMeta(folder, metaOf(order, settings));
    makeLocks(folder);
    givePermit(folder);
    const [file, ...args] = supervisorCommand({
      ...{ folder, timeout: undefined, backstopMs: 60_000, graceMs: 100, mayEscape: true },
      adoptable: { flock: settings.flock() },
    });
    const env = {
      ATELIER_NONCE: order.nonce,
      ATELIER_REPLY_FILE: folder.replyFile,
      PATH: process.env['PATH'],
    };
    const run = (): ChildProcess => {
      const program = on.script(body);
      const child = spawn(file, [...args, program], { env, detached: true, stdio: 'ignore' });
      onTestFinished(() => void child.kill('SIGKILL'));
      return child;
    };
    return { folder, run };
  };

  it('O-48: is lost before anything was written down', async () => {
    mkdirSync(spool(on).home, { recursive: true });
    expect(await adopt()).toBeUndefined();
  });

  it('O-48: is lost when its supervisor has not begun, which then starts nothing', async () => {
    const started = join(on.folder, 'started');
    const { run } = prepare(`: >'${started}'`);
    expect(await adopt()).toBeUndefined();
    await once(run(), 'exit');
    expect(existsSync(started)).toBe(false);
    expect(await adopt()).toBeUndefined();
  });

  it('O-48: is adopted when its supervisor has shown itself, and then starts the program', async () => {
    const { folder, run } = prepare(leaves());
    const holder = spawn('flock', ['--shared', folder.lock, 'sleep', forever], { detached: true });
    const ended = once(holder, 'exit');
    await until(() => livingWith(forever).length > 1);
    run();
    await until(() => textOf(folder.supervisor).endsWith('\n'));
    const handle = await adopt();
    expect(handle?.worker).toMatchObject({ pid: Number.parseInt(textOf(folder.supervisor), 10) });
    process.kill(-(holder.pid ?? 0), 'SIGKILL');
    await ended;
    expect(await handle?.report).toEqual({ kind: 'replied', reply: envelope() });
  });

  it.each(['path', 'meta', 'permit', 'stdout', 'supervisor', 'replyFolder'] as const)(
    'O-47: is adopted or gone when that was as soon as there was its %s',
    async (part) => {
      const runs = join(on.folder, 'runs');
      const host = spawnHost({
        program: on.script(`echo run >>'${runs}'; setsid sleep ${forever} & exec sleep ${forever}`),
        runDir: on.runDir,
        orders: [on.order()],
      });
      await until(() => existsSync(spool(on)[part]));
      await killHost(host);
      const handle = await adopt();
      if (handle) {
        await handle.stop('interrupted');
      } else {
        const before = textOf(runs);
        await until(() => livingWith(spool(on).path).length === 0);
        expect(textOf(runs)).toBe(before);
      }
      expect(livingWith(forever)).toEqual([]);
    },
  );

  it('is not found in a folder that is gone', async () => {
    prepare('true');
    rmSync(dirname(spool(on).path), { recursive: true });
    expect(await adopt()).toBeUndefined();
  });
});

describe('a process that has left its group, its session and its environment', () => {
  it('is found by what it holds open when a later host clears up', async () => {
    on = stage(ATTESTED);
    const host = await startHost({
      program: on.script(
        `env -i setsid sleep ${forever} & sleep 0.2; echo ready; exec sleep ${forever}`,
      ),
      runDir: on.runDir,
      orders: [on.order()],
    });
    await until(() => textOf(spool(on).stdout).includes('ready'));
    await killHost(host);
    process.kill(-Number.parseInt(textOf(spool(on).supervisor), 10), 'SIGKILL');
    await until(() => livingWith(forever).length === 1);
    expect(await adopt()).toBeUndefined();
    expect(livingWith(forever)).toEqual([]);
  });
});
