import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { metaOf, writeMeta } from '../src/attempt-meta.ts';
import { commandAgent, confinedShell, sweep } from '../src/index.ts';
import { settingsOf } from '../src/options.ts';
import { makeLocks } from '../src/worker-lock.ts';
import { rewriteMeta } from './crash.ts';
import { killHost, startHost } from './host-process.ts';
import { livingWith, textOf, until } from './living.ts';
import { ATTESTED, type Stage, spool, stage } from './stage.ts';

describe('sweep', () => {
  let on: Stage;
  let forever: string;

  beforeEach(async () => {
    on = stage(ATTESTED);
    forever = `100000.${process.pid}${Date.now()}`;
  });
  afterEach(() => on.close());

  const crash = async () => {
    const program = on.script(
      `setsid sleep ${forever} & trap '' TERM; echo ready; while :; do sleep ${forever}; done`,
    );
    const host = await startHost({ program, runDir: on.runDir, orders: [on.order()] });
    await until(() => textOf(spool(on).stdout).includes('ready'));
    await killHost(host);
  };

  it('ends the workers that a killed host left, tells which, and then finds none', async () => {
    await crash();
    expect(await sweep(on.runDir, { graceMs: 50 })).toEqual([
      { path: spool(on).path, taskId: 'T-1', attempt: 1, isGone: true },
    ]);
    expect(livingWith(forever)).toEqual([]);
    expect(await sweep(on.runDir)).toEqual([]);
  });

  it('ends also one of which nothing can be read but who leads it', async () => {
    await crash();
    rewriteMeta(on, 'not json');
    const [swept] = await sweep(on.runDir, { graceMs: 50 });
    expect(swept).toEqual({
      ...{ path: spool(on).path, taskId: undefined, attempt: undefined, isGone: true },
    });
    expect(livingWith(forever)).toEqual([]);
  });

  it('tells of one that only its lock tells of, and of no more than that', async () => {
    mkdirSync(spool(on).path, { recursive: true });
    makeLocks(spool(on));
    const settings = settingsOf({
      ...{ agent: commandAgent({ program: 'false' }), confinement: ATTESTED, runDir: on.runDir },
    });
    writeMeta(spool(on), { ...metaOf(on.order(), settings), pidNamespace: 'pid:[1]' });
    expect(await sweep(on.runDir)).toEqual([]);
    // Whoever is asked here is in no attempt’s environment and has other files open: another container.
    const lock = join(on.folder, 'flock');
    const path = process.env['PATH'];
    writeFileSync(lock, '#!/bin/sh\ncase "$*" in *worker.lock*) exit 75;; esac; exit 0\n');
    chmodSync(lock, 0o755);
    process.env['PATH'] = `${on.folder}:${path}`;
    try {
      expect(await sweep(on.runDir)).toEqual([
        { path: spool(on).path, taskId: 'T-1', attempt: 1, isGone: false },
      ]);
    } finally {
      process.env['PATH'] = path;
    }
  });

  it('ends commands too, also those of a host that lives', async () => {
    const shell = confinedShell({ confinement: ATTESTED, runDir: on.runDir });
    const command = `setsid sleep ${forever} & exec sleep ${forever}`;
    const running = shell({ command, worktree: on.worktree, timeoutMs: 60_000 });
    await until(() => livingWith(`sleep\0${forever}`).length > 1);
    expect(await sweep(on.runDir, { graceMs: 50 })).toEqual([]);
    expect(livingWith(forever)).toEqual([]);
    await running;
  });

  it('finds nothing where no run was', async () => {
    expect(await sweep(`${on.runDir}/none`)).toEqual([]);
  });
});
