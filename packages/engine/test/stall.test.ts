import { describe, expect, it } from 'vitest';
import {
  type ManualClock,
  manualClock,
  type RunReport,
  run,
  scriptedTransport,
  type Transport,
} from '../src/index.ts';
import { replyFor } from './scenario.ts';

const TASKS = [{ id: 'a', parallel_group: 1 }];
const STALL_MS = 60_000;

interface Worker {
  /** Times of signs of life after the start. */
  readonly active: readonly number[];
  readonly doneAfterMs?: number;
  readonly peek?: unknown;
}

/** One worker whose signs of life are given. */
function observable(
  { active, doneAfterMs, peek = null }: Worker,
  clock: ManualClock,
): Transport & { stops: string[] } {
  const stops: string[] = [];
  return {
    name: 'observable',
    capabilities: { adopt: false, stop: 'kills', activity: true },
    stops,
    start: async () => {
      const started = clock.now();
      return {
        report:
          doneAfterMs === undefined
            ? new Promise(() => undefined)
            : clock
                .sleep(doneAfterMs)
                .then(() => ({ kind: 'replied', reply: replyFor('done', 'a', 1) })),
        peek: async () => (typeof peek === 'function' ? peek() : peek),
        stop: async (reason) => {
          stops.push(`${reason} at ${(clock.now() - started) / 1000}`);
        },
        activity: () => {
          const age = clock.now() - started;
          return started + Math.max(0, ...active.filter((at) => at <= age));
        },
      };
    },
  };
}

async function tried(
  worker: Worker,
  stallMs: number | undefined = STALL_MS,
): Promise<RunReport & { stops: string[] }> {
  const clock = manualClock();
  const transport = observable(worker, clock);
  const policy = { maxAttempts: 1, ...(stallMs === undefined ? {} : { stallMs }) };
  const report = await clock.runUntil(
    run(TASKS, { transport, clock, policy, sink: () => undefined }),
  );
  return { ...report, stops: transport.stops };
}

describe('hard rule: a worker that seems stalled is looked at first: policy.stallMs makes silence a reason to look', () => {
  it('a silent worker with nothing to show is stopped', async () => {
    const report = await tried({ active: [10_000] });
    expect(report.stops).toEqual(['stalled at 70']);
    expect(report.escalations[0]?.last_status).toMatch(/^stalled: /);
  });

  it('a silent worker that has delivered is done', async () => {
    const report = await tried({ active: [], peek: replyFor('done', 'a', 1) });
    expect(report.outcomes).toMatchObject([{ kind: 'done', attempts: 1 }]);
    expect(report.stops).toEqual(['stalled at 60']);
  });

  it('a worker that shows life is left alone, however long it takes', async () => {
    const active = Array.from({ length: 30 }, (_, i) => i * 50_000);
    const report = await tried({ active, doneAfterMs: 1_400_000 });
    expect(report.outcomes).toMatchObject([{ kind: 'done' }]);
    expect(report.stops).toEqual([]);
  });

  it('a worker that wakes while it is looked at goes on', async () => {
    const worker = { active: [60_000], doneAfterMs: 100_000, peek: () => null };
    const report = await tried(worker);
    expect(report.outcomes).toMatchObject([{ kind: 'done' }]);
    expect(report.stops).toEqual([]);
  });

  it('off by default: silence alone ends nothing before the wall clock', async () => {
    const clock = manualClock();
    const transport = observable({ active: [], doneAfterMs: 1_799_000 }, clock);
    const report = await clock.runUntil(run(TASKS, { transport, clock }));
    expect(report.outcomes).toMatchObject([{ kind: 'done' }]);
  });

  it('is refused with a transport that can not tell', async () => {
    const transport = scriptedTransport(() => ({}));
    await expect(run(TASKS, { transport, policy: { stallMs: STALL_MS } })).rejects.toMatchObject({
      code: 'STALL_UNSUPPORTED',
    });
    expect(transport.started).toEqual([]);
  });
});
