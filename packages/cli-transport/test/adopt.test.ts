import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AttemptHandle, WorkOrder } from '@atelier/engine';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { killHost, startHost } from './host-process.ts';
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

  /** Starts an attempt in another process, and kills that once the agent has said `ready`. */
  const crash = async (body: string, order: Partial<WorkOrder> = {}, limits: object = {}) => {
    const program = on.script(body);
    const { runDir } = on;
    const sandboxed = confinement.kind === 'sandboxed';
    const host = await startHost({ program, runDir, order: on.order(order), limits, sandboxed });
    await until(() => textOf(spool(on).stdout).includes('ready'));
    await killHost(host);
  };

  /** Supervisor, walls and program at once, as someone might who tidies up by hand. */
  const killAll = async () => {
    process.kill(-Number.parseInt(textOf(spool(on).supervisor), 10), 'SIGKILL');
    await until(() => [spool(on).path, forever].every((mark) => livingWith(mark).length === 0));
  };

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
    writeFileSync(spool(on).meta, '{"taskId": "T-1", "att');
    expect(await adopt()).toBeUndefined();
    expect(livingWith(forever)).toEqual([]);
  });

  it.each([
    ['another nonce', { nonce: 'another' }],
    ['another attempt', { attempt: 2 }],
    ['another task', { task: { id: 'T-2', parallel_group: 1 }, nonce: 'another' }],
  ])('is not the worker of an order with %s', async (_name, order) => {
    await crash(`echo ready; exec sleep ${forever}`);
    expect(await adopt(order)).toBeUndefined();
    expect(livingWith(forever)).not.toEqual([]);
  });

  it('is not looked for when the machine was started again since', async () => {
    await crash(`echo ready; ${leaves()}; exit 0`);
    await until(() => textOf(spool(on).exit).endsWith('\n'));
    rewriteMeta(spool(on).meta, { bootId: '00000000-0000-4000-8000-000000000000' });
    expect(await adopt()).toBeUndefined();
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

function rewriteMeta(path: string, change: object): void {
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), ...change }));
}
