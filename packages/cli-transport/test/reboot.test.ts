import type { AttemptHandle } from '@atelier/engine';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { adoptWorker } from '../src/adopt.ts';
import { commandAgent } from '../src/index.ts';
import { settingsOf } from '../src/options.ts';
import { crashHost, killWorker, rewriteMeta } from './crash.ts';
import { livingWith, textOf, until } from './living.ts';
import { ATTESTED, leaves, type Stage, spool, stage } from './stage.ts';

describe('when the machine was started again', () => {
  let on: Stage;
  let forever: string;

  beforeEach(() => {
    on = stage(ATTESTED);
    forever = `100000.${process.pid}${Date.now()}`;
  });
  afterEach(() => on.close());

  /** Adopts in another boot, whose monotonic clock is far before the deadline that was written down. */
  const adoptLater = (): Promise<AttemptHandle | undefined> => {
    const agent = commandAgent({ program: 'false' });
    const settings = settingsOf({ agent, confinement: ATTESTED, runDir: on.runDir });
    return adoptWorker(on.order(), { ...settings, bootId: () => 'another boot' });
  };

  const crash = (body: string) => crashHost(on, ATTESTED, { body });

  it.each([
    ['and was ended', `exec sleep`],
    ['and had ended', 'exit 0; :'],
  ])(
    'the reply of a worker that no host had taken is lost, %s: nobody knows that its files are there',
    async (how, then) => {
      await crash(`${leaves()}; echo ready; ${then} ${forever}`);
      if (how === 'and was ended') await killWorker(on, forever);
      else await until(() => textOf(spool(on).exit).endsWith('\n'));
      expect(await adoptLater()).toBeUndefined();
    },
  );

  it('a worker that had ended badly keeps its end', async () => {
    await crash('echo ready; exit 9');
    await until(() => textOf(spool(on).exit).endsWith('\n'));
    rewriteMeta(on, { deadlineMs: 1 });
    const handle = await adoptLater();
    expect(handle?.wallClockLeftMs).toBe(60_000);
    expect(await handle?.report).toMatchObject({ kind: 'failed', exitCode: 9 });
  });

  it('a worker that had not is lost, also when a process has its number now', async () => {
    await crash(`echo ready; exec sleep ${forever}`);
    await killWorker(on, forever);
    expect(await adoptLater()).toBeUndefined();
  });

  it('a reply that was cut off is none', async () => {
    await crash(
      `printf '{"type": "task_re' >"$ATELIER_REPLY_FILE"; echo ready; exec sleep ${forever}`,
    );
    await killWorker(on, forever);
    expect(await adoptLater()).toBeUndefined();
  });

  it('nothing is left of one that claims to be of another boot and lives', async () => {
    await crash(`setsid sleep ${forever} & echo ready; exec sleep ${forever}`);
    expect(await adoptLater()).toBeUndefined();
    expect(livingWith(forever)).toEqual([]);
  });
});
