import { describe, expect, it } from 'vitest';
import {
  type AttemptHandle,
  type ManualClock,
  manualClock,
  type RunOptions,
  run,
  scriptedTransport,
  systemClock,
  type Transport,
  type WorkerScript,
} from '../src/index.ts';
import { replyFor } from './scenario.ts';

const TASKS = [{ id: 'T-1', parallel_group: 1 }];

async function attempt(
  script: WorkerScript,
  options: (clock: ManualClock) => Partial<RunOptions> = () => ({}),
) {
  const clock = manualClock();
  const transport = scriptedTransport(script, { clock });
  const report = await clock.runUntil(
    run(TASKS, { transport, clock, sink: () => undefined, ...options(clock) }),
  );
  return { report, clock, transport };
}

const once: Partial<RunOptions> = { policy: { maxAttempts: 1 } };

describe('O-46: one confirming read at the deadline', () => {
  const rows: readonly (readonly [string, unknown, string])[] = [
    ['a valid reply of this attempt is done', replyFor('done', 'T-1', 1), 'done'],
    ['a reply of another attempt is not', replyFor('done', 'T-1', 0), 'engine-abandon'],
    ['half a JSON line is not', '{"type":"task_res', 'engine-abandon'],
    ['a valid blocked reply is a failed attempt', replyFor('blocked', 'T-1', 1), 'engine-abandon'],
    [
      'a valid abandonment is the worker’s own',
      replyFor('abandoned:scope', 'T-1', 1),
      'worker-abandon',
    ],
  ];
  it.each(rows)('%s', async (_, peek, kind) => {
    let reads = 0;
    const script: WorkerScript = () => ({
      peek: () => {
        reads += 1;
        return peek;
      },
    });
    const { report, transport, clock } = await attempt(script, () => once);
    expect(report.outcomes).toMatchObject([{ kind, attempts: 1 }]);
    expect(reads).toBe(1);
    expect(transport.stopped.length).toBe(1);
    expect(clock.now()).toBe(1_800_000);
  });

  it('a read that throws shows nothing', async () => {
    const peek = () => {
      throw new Error('unreadable');
    };
    const { report } = await attempt(
      () => ({ peek }),
      () => once,
    );
    expect(report.outcomes).toMatchObject([{ kind: 'engine-abandon', attempts: 1 }]);
  });

  it('a reply that is reported while the read hangs still counts', async () => {
    const transport = (clock: ManualClock): Transport => ({
      name: 'slow',
      capabilities: { adopt: false, stop: 'kills' },
      start: async (): Promise<AttemptHandle> => ({
        report: clock
          .sleep(1_800_001)
          .then(() => ({ kind: 'replied', reply: replyFor('done', 'T-1', 1) })),
        peek: () => new Promise(() => undefined),
        stop: async () => undefined,
      }),
    });
    const { report } = await attempt(
      () => ({}),
      (clock) => ({ ...once, transport: transport(clock) }),
    );
    expect(report.outcomes).toMatchObject([{ kind: 'done', attempts: 1 }]);
  });
});

describe('the wall clock', () => {
  it('runs from the charge: a start that never resolves is ended at the deadline', async () => {
    let aborted = false;
    const transport: Transport = {
      name: 'stuck',
      capabilities: { adopt: false, stop: 'kills' },
      start: (_, signal) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => {
            aborted = true;
            reject(new Error('start was cancelled'));
          }),
        ),
    };
    const { report, clock } = await attempt(
      () => ({}),
      () => ({ ...once, transport }),
    );
    expect(aborted).toBe(true);
    expect(clock.now()).toBe(1_800_000);
    expect(report.escalations[0]?.last_status).toMatch(/^timeout: wall clock of 1800 s exceeded/);
  });

  it('a handle that arrives after the deadline is stopped before the next dispatch', async () => {
    const log: string[] = [];
    const transport = (clock: ManualClock): Transport => ({
      name: 'late',
      capabilities: { adopt: false, stop: 'kills' },
      start: async ({ attempt: number }) => {
        log.push(`start ${number}`);
        await clock.sleep(1_805_000);
        return {
          report: new Promise(() => undefined),
          peek: async () => null,
          stop: async () => {
            log.push(`stop ${number}`);
          },
        };
      },
    });
    await attempt(
      () => ({}),
      (clock) => ({ policy: { maxAttempts: 2 }, transport: transport(clock) }),
    );
    expect(log).toEqual(['start 1', 'stop 1', 'start 2', 'stop 2']);
  });

  it('includes the briefing', async () => {
    const { clock, report } = await attempt(
      () => ({}),
      (time) => ({ ...once, briefing: () => time.sleep(1_000_000).then(() => 'late') }),
    );
    expect(clock.now()).toBe(1_800_000);
    expect(report.dispatches).toBe(1);
  });

  it('O-44: is monotonic; a machine that slept neither kills the worker nor ages it', async () => {
    const { report } = await attempt(
      () => ({ report: { kind: 'replied', reply: replyFor('done', 'T-1', 1) }, afterMs: 300_000 }),
      (clock) => {
        void clock.sleep(62_000).then(() => clock.stepWall(10 * 3600_000));
        return once;
      },
    );
    expect(report.outcomes).toMatchObject([{ kind: 'done', attempts: 1 }]);
  });
});

describe('O-45: durations that a timer can not hold', () => {
  const values = [2_147_484, 2_592_000, Number.POSITIVE_INFINITY, 0, -1, Number.NaN, 1e-9];
  it.each(values)(
    '%d s without raiseCaps is refused before anything is dispatched',
    async (value) => {
      const transport = scriptedTransport(() => ({}));
      const running = run(TASKS, { transport, policy: { wallClockMs: value * 1000 } });
      await expect(running).rejects.toMatchObject({ code: 'INVALID_POLICY' });
      expect(transport.started).toEqual([]);
    },
  );

  it('2,592,000 s with raiseCaps is honoured to the millisecond', async () => {
    const policy = { maxAttempts: 1, wallClockMs: 2_592_000_000, raiseCaps: true };
    const { clock } = await attempt(
      () => ({}),
      () => ({ policy }),
    );
    expect(clock.now()).toBe(2_592_000_000);
  });

  it('the system clock does not wake a 30-day sleeper at once', async () => {
    const cancel = new AbortController();
    let woke = false;
    const sleeping = systemClock.sleep(2_592_000_000, cancel.signal).then(() => {
      woke = true;
    });
    await systemClock.sleep(20);
    expect(woke).toBe(false);
    cancel.abort();
    await sleeping;
  });
});
