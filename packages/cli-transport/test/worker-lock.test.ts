import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { findFlock } from '../src/find-program.ts';
import { machineClock } from '../src/machine-clock.ts';
import { withdrawPermit } from '../src/start-permit.ts';
import { isHeld, isReleasedWithin, makeLocks, watchRelease } from '../src/worker-lock.ts';
import { crashHost, killWorker } from './crash.ts';
import { livingWith, textOf, until } from './living.ts';
import { ATTESTED, CONFINEMENTS, type Stage, spool, stage } from './stage.ts';

const flock = findFlock();
let on: Stage;
let forever: string;

beforeEach(() => {
  forever = `100000.${process.pid}${Date.now()}`;
});
afterEach(() => on.close());

describe.each(CONFINEMENTS)('the locks of a worker %s', (_, confinement) => {
  beforeEach(() => {
    on = stage(confinement);
  });

  it('are held while anything of it lives, and given back when the last of it ends', async () => {
    await crashHost(on, confinement, { body: `echo ready; exec sleep ${forever}` });
    const supervisor = Number.parseInt(textOf(spool(on).supervisor), 10);
    expect(await isHeld(spool(on), flock)).toBe(true);
    process.kill(supervisor, 'SIGKILL');
    await until(() => textOf(`/proc/${supervisor}/cmdline`) === '');
    expect(livingWith(forever)).not.toEqual([]);
    expect(await isReleasedWithin(50, () => isHeld(spool(on), flock), machineClock)).toBe(false);
    process.kill(-supervisor, 'SIGKILL');
    await watchRelease(() => isHeld(spool(on), flock), machineClock, new AbortController().signal);
    expect(livingWith(forever)).toEqual([]);
  });

  it('can not be given back by the program', async () => {
    const body = `flock -u 8 2>/dev/null; flock -u 9; exec 9<&-; echo ready; exec sleep ${forever}`;
    await crashHost(on, confinement, { body });
    expect(await isHeld(spool(on), flock)).toBe(true);
    await killWorker(on, forever);
  });
});

describe('whether a lock is held', () => {
  beforeEach(() => {
    on = stage(ATTESTED);
    mkdirSync(spool(on).path, { recursive: true });
    makeLocks(spool(on));
  });

  it('is told of each of the two', async () => {
    expect(await isHeld(spool(on), flock)).toBe(false);
    for (const path of [spool(on).lock, spool(on).workerLock]) {
      const holder = spawn('flock', [path, 'sleep', forever], { detached: true, stdio: 'ignore' });
      const ended = once(holder, 'exit');
      onTestFinished(() => {
        if (holder.exitCode === null && holder.signalCode === null)
          process.kill(-(holder.pid ?? 0), 'SIGKILL');
      });
      await until(() => livingWith(forever).length > 1);
      expect(await isHeld(spool(on), flock)).toBe(true);
      process.kill(-(holder.pid ?? 0), 'SIGKILL');
      await ended;
      await until(() => livingWith(forever).length === 0);
    }
  });

  it('is told to many at once, who do not find each other', async () => {
    const asked = Array.from({ length: 12 }, () => isHeld(spool(on), flock));
    expect(new Set(await Promise.all(asked))).toEqual(new Set([false]));
  });

  it('is not claimed where nobody can know', async () => {
    expect(await isHeld(spool(on), undefined)).toBe(false);
    expect(await isHeld(spool(on, 2), flock)).toBe(false);
  });

  it('is assumed while the question can not be asked', async () => {
    expect(await isHeld(spool(on), join(on.folder, 'no-such-program'))).toBe(true);
  });

  it.each([1, 64, 66, 69, 126, 127])(
    'is assumed where the answer is none: status %i',
    async (status) => {
      expect(await isHeld(spool(on), on.script(`exit ${status}`))).toBe(true);
    },
  );

  it.each([65, 71])(
    'is not assumed where there are no locks at all: status %i for a fresh file, too',
    async (status) => {
      expect(await isHeld(spool(on), on.script(`exit ${status}`))).toBe(false);
      const ours = `case "$*" in *worker.lock*) exit ${status};; esac; exit 0`;
      expect(await isHeld(spool(on), on.script(ours))).toBe(true);
      expect(readdirSync(spool(on).path).sort()).toEqual(['lock', 'worker.lock']);
    },
  );

  it('takes no file that anybody could write by chance', () => {
    for (const path of [spool(on).lock, spool(on).workerLock])
      expect(statSync(path).mode & 0o777).toBe(0o400);
  });
});

it('the locks of an attempt are two files, and nobody has a reason to open that of the worker', async () => {
  on = stage(ATTESTED);
  const handle = await on.start(on.transport(on.script('exit 0')));
  await handle.report;
  const { path, lock, workerLock } = spool(on);
  const inode = (name: string) => statSync(join(path, name)).ino;
  const sharing = (one: string) =>
    readdirSync(path)
      .filter((name) => inode(name) === statSync(one).ino)
      .sort();
  expect(sharing(lock)).toEqual(['lock', 'meta.json']);
  expect(sharing(workerLock)).toEqual(['permit', 'worker.lock']);
  for (const one of [lock, workerLock]) expect(statSync(one).mode & 0o077).toBe(0);
  withdrawPermit(spool(on));
  expect(sharing(workerLock)).toEqual(['worker.lock']);
});

it('a worker on a machine without flock is adopted as well', async () => {
  on = stage(ATTESTED);
  const path = process.env['PATH'];
  const go = join(on.worktree, 'go');
  const body = `echo ready; until [ -e '${go}' ]; do sleep 0.02; done; exit 4`;
  process.env['PATH'] = on.folder;
  try {
    const transport = on.transport(on.script(body));
    const first = await on.start(transport);
    await until(() => textOf(spool(on).stdout).includes('ready'));
    const second = await transport.adopt?.(on.order(), new AbortController().signal);
    expect(first.worker).toEqual(second?.worker);
    writeFileSync(go, '');
    for (const handle of [first, second])
      expect(await handle?.report).toMatchObject({ kind: 'failed', exitCode: 4 });
    expect(await isHeld(spool(on), flock)).toBe(false);
  } finally {
    process.env['PATH'] = path;
  }
});
