import { describe, expect, it } from 'vitest';
import {
  type BriefingContext,
  manualClock,
  memoryJournal,
  type RunOptions,
  type RunSignal,
  run,
  scriptedTransport,
  type Task,
} from '../src/index.ts';
import { replyFor } from './scenario.ts';

const scripted = (kindOf: (id: string, attempt: number) => string = () => 'done') => {
  const clock = manualClock();
  const transport = scriptedTransport(
    ({ task, attempt }) => ({
      report: {
        kind: 'replied',
        reply: replyFor(kindOf(String(task.id), attempt), task.id, attempt),
      },
      afterMs: 1000,
    }),
    { clock },
  );
  return { clock, transport };
};

describe('pre-flight', () => {
  it('refuses the whole batch before anything is dispatched or recorded', async () => {
    const { clock, transport } = scripted();
    const journal = memoryJournal();
    const tasks = [
      { id: 'T-3', parallel_group: null },
      { id: 'T-1', parallel_group: 1 },
      { id: 'T-2' },
      { id: 'T-0', parallel_group: null, status: 'complete' },
    ];
    await expect(run(tasks, { clock, transport, journal })).rejects.toMatchObject({
      code: 'NULL_PARALLEL_GROUP',
      taskIds: ['T-2', 'T-3'],
    });
    expect(transport.started).toEqual([]);
    expect(journal.events).toEqual([]);
  });
});

describe('the report', () => {
  it('lists outcomes in (parallel_group, id) order, whatever the order of dispatch', async () => {
    const { clock, transport } = scripted();
    const tasks: Task[] = [
      { id: 't10', parallel_group: 1, created_at: '2026-01-01' },
      { id: 't2', parallel_group: 1, created_at: '2026-01-02' },
      { id: 7, parallel_group: 1, created_at: '2026-01-03' },
      { id: 'a', parallel_group: 2 },
    ];
    const { outcomes } = await clock.runUntil(run(tasks, { clock, transport }));
    expect(transport.started.map(({ task }) => task.id)).toEqual(['t10', 't2', 7, 'a']);
    expect(outcomes.map(({ taskId }) => taskId)).toEqual([7, 't10', 't2', 'a']);
  });

  it('of a plan with nothing to do is complete', async () => {
    const { clock, transport } = scripted();
    for (const tasks of [[], [{ id: 'a', status: 'complete' }]])
      expect(await clock.runUntil(run(tasks, { clock, transport }))).toMatchObject({
        verdict: 'complete',
        outcomes: [],
        dispatches: 0,
      });
  });

  it('of an interrupted run keeps the last failed attempt apart from what was never started', async () => {
    const { clock, transport } = scripted((id) => (id === 'a' ? 'blocked' : 'done'));
    const stop = new AbortController();
    void clock.sleep(1500).then(() => stop.abort());
    const tasks = ['a', 'b'].map((id) => ({ id, parallel_group: 1 }));
    const policy = { maxWorkers: 1 };
    const running = run(tasks, { clock, transport, policy, signal: stop.signal });
    expect(await clock.runUntil(running)).toMatchObject({
      verdict: 'interrupted',
      outcomes: [
        { taskId: 'a', kind: 'failed-attempt', attempts: 1 },
        { taskId: 'b', kind: 'failed-attempt', closure: { cause: 'interrupted' } },
      ],
      escalations: [],
    });
  });
});

describe('the briefing', () => {
  it('is told the previous failure and what the direct upstreams delivered', async () => {
    const { clock, transport } = scripted((id, attempt) =>
      id === 'b' && attempt === 1 ? 'hollow' : 'done',
    );
    const seen: BriefingContext[] = [];
    const tasks: Task[] = [
      { id: 'a', parallel_group: 1, writes: ['src/a.ts'] },
      { id: 'b', parallel_group: 2, reads: ['./src/a.ts'] },
    ];
    await clock.runUntil(
      run(tasks, {
        clock,
        transport,
        briefing: (context) => {
          seen.push(context);
          return `do ${context.task.id}`;
        },
      }),
    );
    expect(seen.map(({ task, attempt }) => `${task.id}/${attempt}`)).toEqual(['a/1', 'b/1', 'b/2']);
    expect(seen[1]?.upstream).toMatchObject([{ taskId: 'a', reply: { status: 'done' } }]);
    expect(seen[1]?.previous).toBeUndefined();
    expect(seen[2]?.previous).toMatchObject({ kind: 'rejected', field: 'artifacts' });
    expect(transport.started[0]).toMatchObject({ briefing: 'do a', wallClockMs: 1_800_000 });
  });

  it('and the nonce are new for each attempt', async () => {
    const { clock, transport } = scripted(() => 'blocked');
    const tasks = [{ id: 'a', parallel_group: 1 }];
    await clock.runUntil(run(tasks, { clock, transport, sink: () => undefined }));
    expect(new Set(transport.started.map(({ nonce }) => nonce)).size).toBe(5);
  });
});

describe('telemetry', () => {
  it('reaches onSignal with its task and attempt, and is in no event', async () => {
    const { clock, transport } = scripted();
    const signals: RunSignal[] = [];
    const journal = memoryJournal();
    await clock.runUntil(
      run([{ id: 'a', parallel_group: 1 }], {
        clock,
        journal,
        transport: {
          ...transport,
          start: async (order, signal) => ({
            ...(await transport.start(order, signal)),
            subscribe: (listener) => listener({ tokens: 12 }),
          }),
        },
        onSignal: (signal) => signals.push(signal),
      }),
    );
    expect(signals).toEqual([{ kind: 'worker', taskId: 'a', attempt: 1, signal: { tokens: 12 } }]);
    expect(JSON.stringify(journal.events)).not.toContain('tokens');
  });
});

describe('concurrency', () => {
  it('never passes maxWorkers, and a free slot is taken at once', async () => {
    const { clock, transport } = scripted();
    const tasks = Array.from({ length: 8 }, (_, i) => ({ id: i, parallel_group: 1 }));
    await clock.runUntil(run(tasks, { clock, transport }));
    expect(clock.now()).toBe(2000);
  });
});

describe('an interrupt is heard at once', () => {
  const tasks = [{ id: 'a', parallel_group: 1 }];
  const never = () => new Promise<never>(() => undefined);
  const cases: [string, Partial<RunOptions>][] = [
    ['in a gate', { gate: never }],
    ['in a briefing', { briefing: never }],
    ['in the checks', { acceptance: { accept: never } }],
    [
      'in an integration',
      { acceptance: { accept: () => ({ kind: 'accepted' }), integrate: never } },
    ],
  ];
  it.each(cases)('%s', async (_, seams) => {
    const { clock, transport } = scripted();
    const stop = new AbortController();
    void clock.sleep(5000).then(() => stop.abort());
    const options = { clock, transport, signal: stop.signal, ...seams };
    const report = await clock.runUntil(run(tasks, options));
    expect(report.verdict).toBe('interrupted');
    expect(clock.now()).toBeLessThan(6000);
  });

  it('before a worker is started: none is', async () => {
    const { clock, transport } = scripted();
    const stop = new AbortController();
    void clock.sleep(1000).then(() => stop.abort());
    const briefing = () => clock.sleep(5000).then(() => 'late');
    const options = { clock, transport, signal: stop.signal, briefing };
    await clock.runUntil(run(tasks, options));
    expect(transport.started).toEqual([]);
  });
});

describe('a slow gate', () => {
  it('does not hold back what it has granted', async () => {
    const { clock, transport } = scripted();
    const starts: number[] = [];
    const gate = () => clock.sleep(10_000).then(() => ({ kind: 'go' }) as const);
    const tasks = [1, 2, 3].map((id) => ({ id, parallel_group: 1 }));
    const briefing = () => {
      starts.push(clock.now());
      return '';
    };
    await clock.runUntil(run(tasks, { clock, transport, gate, briefing }));
    expect(starts).toEqual([10_000, 20_000, 30_000]);
  });
});

describe('integration', () => {
  it('a refusal sees what was merged, and what was refused before it', async () => {
    const { clock, transport } = scripted();
    const tasks = ['a', 'b', 'c'].map((id) => ({ id, parallel_group: 1 }));
    const report = await clock.runUntil(
      run(tasks, {
        clock,
        transport,
        policy: { maxAttempts: 1 },
        sink: () => undefined,
        acceptance: {
          accept: () => ({ kind: 'accepted' }),
          integrate: () => [{ kind: 'merged', taskId: 'a' }],
        },
      }),
    );
    expect(
      report.escalations.map(({ task_id, surviving_state: left }) => [
        task_id,
        left?.terminal_tasks,
        left?.outstanding_tasks,
      ]),
    ).toEqual([
      ['b', ['a'], ['b', 'c']],
      ['c', ['a', 'b'], ['c']],
    ]);
  });
});
