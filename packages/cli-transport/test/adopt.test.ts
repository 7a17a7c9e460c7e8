import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AttemptHandle, WorkOrder } from '@atelier/engine';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { crashHost, killWorker, rewriteMeta } from './crash.ts';
import { livingWith, textOf, until } from './living.ts';
import { CONFINEMENTS, envelope, leaves, type Stage, spool, stage } from './stage.ts';

describe.each(CONFINEMENTS)('a worker %s whose host was killed', (_, confinement) => {
  let on: Stage;
  let forever: string;

  beforeEach(() => {
    on = stage(confinement);
    forever = `100000.${process.pid}${Date.now()}`;
  });
  afterEach(() => on.close());

  const adopt = async (order: Partial<WorkOrder> = {}): Promise<AttemptHandle | undefined> =>
    on.transport('/bin/false').adopt?.(on.order(order), new AbortController().signal);

  const crash = (body: string, order: Partial<WorkOrder> = {}, limits: object = {}) =>
    crashHost(on, confinement, { body, order, limits });

  const killAll = () => killWorker(on, forever);

  it('runs on, is adopted by the next host, and its reply counts', async () => {
    const go = join(on.worktree, 'go');
    await crash(`echo ready; until [ -e '${go}' ]; do sleep 0.02; done; ${leaves()}`);
    const handle = await adopt();
    expect(await handle?.peek()).toBeUndefined();
    expect(handle?.activity?.()).toBeTypeOf('number');
    writeFileSync(go, '');
    expect(await handle?.report).toEqual({ kind: 'replied', reply: envelope() });
  });

  it('is ended by the next host, children and all', async () => {
    await crash(`setsid sleep ${forever} & sleep ${forever} & echo ready; sleep ${forever}`);
    const handle = await adopt();
    expect(livingWith(forever).length).toBeGreaterThan(0);
    await handle?.stop('interrupted');
    expect(livingWith(forever)).toEqual([]);
    expect(await handle?.report).toMatchObject({ cause: 'interrupted' });
  });

  it('keeps the end that it came to while no host lived', async () => {
    await crash(`echo ready; ${leaves()}; exit 0`);
    await until(() => textOf(spool(on).exit).endsWith('\n'));
    expect(await (await adopt())?.report).toEqual({ kind: 'replied', reply: envelope() });
  });

  it('has failed if it ended badly while no host lived, and keeps its exit code', async () => {
    await crash(`echo ready; ${leaves()}; exit 9`);
    await until(() => textOf(spool(on).exit).endsWith('\n'));
    expect(await (await adopt())?.report).toMatchObject({ exitCode: 9, reply: envelope() });
  });

  it('ends at its own wall clock also under the next host', async () => {
    await crash(`echo ready; exec sleep ${forever}`, { wallClockMs: 1_500 });
    const handle = await adopt({ wallClockMs: 60_000 });
    expect(await handle?.report).toMatchObject({ kind: 'failed', cause: 'timeout' });
    expect(livingWith(forever)).toEqual([]);
  });

  it('has replied if its reply was complete when everything of it was killed', async () => {
    await crash(`${leaves()}; echo ready; exec sleep ${forever}`);
    await killAll();
    expect(await (await adopt())?.report).toEqual({ kind: 'replied', reply: envelope() });
  });

  it('is lost if it was killed without a reply', async () => {
    await crash(`echo ready; exec sleep ${forever}`);
    await killAll();
    expect(await adopt()).toBeUndefined();
  });

  it('leaves nothing behind when it can not be adopted', async () => {
    await crash(`echo ready; setsid sleep ${forever} & exec sleep ${forever}`);
    rewriteMeta(on, '{"taskId": "T-1", "att');
    expect(await adopt()).toBeUndefined();
    expect(livingWith(forever)).toEqual([]);
  });

  it('is ended when its folder is that of an order with another nonce', async () => {
    await crash(`echo ready; exec sleep ${forever}`);
    expect(await adopt({ nonce: 'another' })).toBeUndefined();
    expect(livingWith(forever)).toEqual([]);
  });

  it.each([
    ['another nonce', { nonce: 'another' }],
    ['no boot', { bootId: '' }],
    ['no pid namespace', { pidNamespace: undefined }],
    ['a deadline that is none', { deadlineMs: 'soon' }],
  ])('leaves nothing behind when what was written down about it has %s', async (_name, change) => {
    await crash(`setsid sleep ${forever} & echo ready; exec sleep ${forever}`);
    rewriteMeta(on, change);
    expect(await adopt()).toBeUndefined();
    expect(livingWith(forever)).toEqual([]);
  });

  it('leaves nothing behind when nothing was written down about it', async () => {
    await crash(`setsid sleep ${forever} & echo ready; exec sleep ${forever}`);
    rmSync(spool(on).meta);
    rmSync(spool(on).supervisor);
    expect(await adopt()).toBeUndefined();
    expect(livingWith(forever)).toEqual([]);
  });

  it('leaves nothing behind when its supervisor alone was killed', async () => {
    await crash(`setsid sleep ${forever} & echo ready; exec sleep ${forever}`);
    const pid = Number.parseInt(textOf(spool(on).supervisor), 10);
    process.kill(pid, 'SIGKILL');
    await until(() => textOf(`/proc/${pid}/cmdline`) === '');
    expect(await adopt()).toBeUndefined();
    expect(livingWith(forever)).toEqual([]);
  });

  it('goes on with what is left of its wall clock, and never with more than the order has', async () => {
    await crash(`echo ready; exec sleep ${forever}`);
    const handle = await adopt();
    expect(handle?.wallClockLeftMs).toBeGreaterThan(0);
    expect(handle?.wallClockLeftMs).toBeLessThanOrEqual(60_000);
    expect((await adopt({ wallClockMs: 7_000 }))?.wallClockLeftMs).toBeLessThanOrEqual(7_000);
    await handle?.stop('interrupted');
  });

  it('has nothing left of a wall clock that ended while no host lived, and is ended', async () => {
    await crash(`echo ready; exec sleep ${forever}`);
    rewriteMeta(on, { deadlineMs: 1 });
    const handle = await adopt();
    expect(handle?.wallClockLeftMs).toBe(0);
    expect(await handle?.report).toMatchObject({ cause: 'timeout' });
    expect(livingWith(forever)).toEqual([]);
  });

  it('is the same process, and says so without its nonce', async () => {
    await crash(`echo ready; exec sleep ${forever}`);
    const pid = Number.parseInt(textOf(spool(on).supervisor), 10);
    const handle = await adopt();
    expect(handle?.worker).toEqual({ pid, startedAt: expect.stringMatching(/^\d{4}-.*Z$/) });
    expect(JSON.stringify(handle?.worker)).not.toContain(on.order().nonce);
    await handle?.stop('interrupted');
  });

  it('is adopted twice without harm, and ended once', async () => {
    await crash(`setsid sleep ${forever} & echo ready; exec sleep ${forever}`);
    const [first, second] = await Promise.all([adopt(), adopt()]);
    expect(first?.worker).toEqual(second?.worker);
    await first?.stop('interrupted');
    expect(livingWith(forever)).toEqual([]);
    expect(await first?.report).toMatchObject({ cause: 'interrupted' });
    expect(await second?.report).toMatchObject({ kind: 'failed' });
  });

  it.each([
    ['another attempt', { attempt: 2 }],
    ['another task', { task: { id: 'T-2', parallel_group: 1 }, nonce: 'another' }],
  ])('is not the worker of an order with %s', async (_name, order) => {
    await crash(`echo ready; exec sleep ${forever}`);
    expect(await adopt(order)).toBeUndefined();
    expect(livingWith(forever)).not.toEqual([]);
  });

  it('is not confused with a later process that got its number', async () => {
    await crash(`echo ready; exec sleep ${forever}`);
    await killAll();
    const bystander = spawn('sleep', [forever], { detached: true, stdio: 'ignore' });
    const ended = once(bystander, 'exit');
    const stat = textOf(spool(on).supervisor).replace(/^\d+/, String(bystander.pid));
    writeFileSync(spool(on).supervisor, stat);
    const handle = await adopt();
    await handle?.stop('interrupted');
    await on.close();
    expect(handle).toBeUndefined();
    expect(livingWith(forever)).toEqual([bystander.pid]);
    bystander.kill('SIGKILL');
    await ended;
  });

  it('ends by itself at its backstop when no host comes back', async () => {
    await crash(
      `trap '' TERM; setsid sleep ${forever} & echo ready; while :; do sleep ${forever}; done`,
      { wallClockMs: 500 },
      { orphanGraceMs: 500, graceMs: 100 },
    );
    await until(() => textOf(spool(on).exit).endsWith('\n') && livingWith(forever).length === 0);
    expect(await (await adopt())?.report).toMatchObject({ kind: 'failed', cause: 'timeout' });
  });
});
