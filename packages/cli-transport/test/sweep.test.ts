import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sweep } from '../src/index.ts';
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
      { path: spool(on).path, taskId: 'T-1', attempt: 1 },
    ]);
    expect(livingWith(forever)).toEqual([]);
    expect(await sweep(on.runDir)).toEqual([]);
  });

  it('ends also one of which nothing can be read but who leads it', async () => {
    await crash();
    writeFileSync(spool(on).meta, 'not json');
    const [swept] = await sweep(on.runDir, { graceMs: 50 });
    expect(swept).toEqual({ path: spool(on).path, taskId: undefined, attempt: undefined });
    expect(livingWith(forever)).toEqual([]);
  });

  it('finds nothing where no run was', async () => {
    expect(await sweep(`${on.runDir}/none`)).toEqual([]);
  });
});
