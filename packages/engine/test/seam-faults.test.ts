import { describe, expect, it, vi } from 'vitest';
import {
  type Acceptance,
  type AttemptHandle,
  EngineError,
  type ManualClock,
  manualClock,
  memoryJournal,
  type RunOptions,
  type RunReport,
  run,
  scriptedTransport,
  type Task,
  type Transport,
} from '../src/index.ts';
import { replyFor } from './scenario.ts';

const TASKS: readonly Task[] = [
  { id: 'a', parallel_group: 1 },
  { id: 'b', parallel_group: 1 },
  { id: 'c', parallel_group: 2, depends_on: ['a'] },
];

const never = <T>(): Promise<T> => new Promise<T>(() => undefined);
const fail = (): never => {
  throw new Error('boom \x1b[2J');
};

/** The two faults that every seam is tried with, and what answers with nonsense. */
const FAULTS: readonly (readonly [string, () => never])[] = [
  ['throws', fail],
  ['rejects', () => Promise.reject(new Error('boom')) as never],
  ['hangs', () => never() as never],
  ['answers nonsense', () => ({ nonsense: true }) as never],
  ['answers nothing', () => undefined as never],
];

const working = (clock: ManualClock) =>
  scriptedTransport(
    ({ task, attempt }) => ({
      report: { kind: 'replied', reply: replyFor('done', task.id, attempt) },
      afterMs: 1000,
    }),
    { clock },
  );

const silent = (clock: ManualClock) => scriptedTransport(() => ({}), { clock });

/** A transport whose handles are changed on the way out. */
const altered = (
  inner: Transport,
  change: (handle: AttemptHandle) => Partial<AttemptHandle>,
): Transport => ({
  ...inner,
  start: async (order, signal) => {
    const handle = await inner.start(order, signal);
    return { ...handle, ...change(handle) };
  },
});

async function tried(options: (clock: ManualClock) => Partial<RunOptions>): Promise<RunReport> {
  const clock = manualClock();
  const report = await clock.runUntil(
    run(TASKS, { transport: working(clock), clock, sink: () => undefined, ...options(clock) }),
  );
  expect(report.outcomes.length).toBe(TASKS.length);
  expect(report.dispatches).toBeLessThanOrEqual(TASKS.length * 5);
  return report;
}

const abandoned = (report: RunReport) => {
  expect(report.verdict).toBe('abandoned');
  expect(report.outcomes.map(({ kind }) => kind)).toEqual(Array(3).fill('engine-abandon'));
  expect(report.escalations.length).toBe(3);
};

describe.each(FAULTS)('a seam that %s', (_, fault) => {
  it('transport.start: attempts fail until the budget is spent or the worker may be alive', async () => {
    abandoned(await tried((clock) => ({ transport: { ...working(clock), start: fault } })));
  });

  it('handle.report: failed attempts', async () => {
    if (fault === fail) return expect(fault).toThrow();
    const transport = (clock: ManualClock) =>
      altered(working(clock), () => ({ report: Promise.resolve().then(fault) }));
    abandoned(await tried((clock) => ({ transport: transport(clock) })));
  });

  it('handle.peek: the confirming read shows nothing', async () => {
    abandoned(
      await tried((clock) => ({ transport: altered(silent(clock), () => ({ peek: fault })) })),
    );
  });

  it('handle.subscribe, handle.activity: telemetry changes nothing', async () => {
    const report = await tried((clock) => ({
      policy: { stallMs: 5000 },
      transport: {
        ...altered(working(clock), () => ({ subscribe: fault, activity: fault })),
        capabilities: { adopt: false, stop: 'kills', activity: true },
      },
    }));
    expect(report.verdict).toBe('complete');
  });

  it('gate: nothing is spent on doubt', async () => {
    const report = await tried(() => ({ gate: fault }));
    expect(report).toMatchObject({
      verdict: 'parked',
      dispatches: 0,
      parking: { cause: 'gate-failed' },
    });
    expect(report.outcomes.map(({ kind }) => kind)).toEqual(Array(3).fill('pending'));
  });

  it('acceptance.accept: failed attempts', async () => {
    abandoned(await tried(() => ({ acceptance: { accept: fault } })));
  });

  it('acceptance.integrate: the run parks and the accepted work is kept', async () => {
    const acceptance: Acceptance = { accept: () => ({ kind: 'accepted' }), integrate: fault };
    const report = await tried(() => ({ acceptance }));
    expect(report).toMatchObject({ verdict: 'parked', parking: { cause: 'integration' } });
    expect(report.dispatches).toBe(2);
    expect(report.outcomes.slice(0, 2)).toMatchObject([
      { kind: 'pending', accepted: true },
      { kind: 'pending', accepted: true },
    ]);
  });

  it('sink, onEvent, onSignal: the same run as without them', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const giveUp = (clock: ManualClock) =>
      scriptedTransport(
        ({ task, attempt }) => ({
          report: { kind: 'replied', reply: replyFor('abandoned:scope', task.id, attempt) },
        }),
        { clock },
      );
    const plain = await tried((clock) => ({ runId: 'r', transport: giveUp(clock) }));
    const faulty = await tried((clock) => ({
      runId: 'r',
      transport: giveUp(clock),
      sink: fault,
      onEvent: fault,
      onSignal: fault,
    }));
    const same = ({ verdict, outcomes, escalations, dispatches }: RunReport) => ({
      verdict,
      outcomes,
      escalations,
      dispatches,
    });
    expect(same(faulty)).toEqual(same(plain));
    vi.restoreAllMocks();
  });
});

describe('handle.stop', () => {
  it.each(FAULTS.slice(0, 3))(
    'that %s: the task is not dispatched beside a worker that may be alive',
    async (_, fault) => {
      const report = await tried((clock) => ({
        transport: altered(silent(clock), () => ({ stop: fault })),
      }));
      abandoned(report);
      expect(report.dispatches).toBe(2);
      expect(report.escalations[0]).toMatchObject({ attempt: 1, category: 'capacity' });
      expect(report.escalations[0]?.last_status).toMatch(/^unstoppable: /);
    },
  );
});

describe('briefing', () => {
  it.each(FAULTS.slice(0, 3))('that %s: failed attempts, nobody is started', async (_, fault) => {
    const seen: { transport?: ReturnType<typeof working> } = {};
    abandoned(
      await tried((clock) => {
        seen.transport = working(clock);
        return { briefing: fault, transport: seen.transport };
      }),
    );
    expect(seen.transport?.started).toEqual([]);
  });
});

describe('a journal that', () => {
  it.each(
    FAULTS.slice(0, 3).flatMap(([name, fault]) =>
      [1, 2, 3, 4, 5].map((at) => [name, at, fault] as const),
    ),
  )(
    '%s at append %i: the run stops with JOURNAL_FAILED and every worker is ended',
    async (_, at, fault) => {
      const clock = manualClock();
      const inner = working(clock);
      let alive = 0;
      const transport = altered(inner, ({ report }) => {
        alive += 1;
        void report.then(() => {
          alive -= 1;
        });
        return {};
      });
      const memory = memoryJournal();
      let appends = 0;
      const journal = {
        ...memory,
        append: (batch: Parameters<typeof memory.append>[0]) => {
          appends += 1;
          return appends === at ? fault() : memory.append(batch);
        },
      };
      const running = run(TASKS, {
        transport,
        clock,
        journal,
      });
      const error = await clock.runUntil(running.catch((thrown: unknown) => thrown));
      expect(error).toBeInstanceOf(EngineError);
      expect(error).toMatchObject({ code: 'JOURNAL_FAILED', name: 'EngineError' });
      // Durable before started: no worker runs for a charge that was not recorded.
      const recorded = memory.events.flatMap((event) =>
        event.type === 'attempt.started' ? [`${event.taskId}/${event.attempt}`] : [],
      );
      expect(inner.started.map(({ task, attempt }) => `${task.id}/${attempt}`)).toEqual(recorded);
      expect(alive).toBe(0);
      expect(memory.events.some(({ type }) => type === 'run.finished')).toBe(false);
    },
  );

  it('can not be read: nothing is started', async () => {
    const clock = manualClock();
    const transport = working(clock);
    const running = run(TASKS, { transport, clock, journal: { ...memoryJournal(), load: fail } });
    await expect(running).rejects.toThrow('boom');
    expect(transport.started).toEqual([]);
  });
});
