import { describe, expect, it } from 'vitest';
import {
  type AttemptReport,
  type Gate,
  manualClock,
  memoryJournal,
  type RunEvent,
  type RunOptions,
  run,
  scriptedTransport,
  type Task,
  type WorkOrder,
} from '../src/index.ts';
import { doneOf } from '../src/testing/done-of.ts';

const tasksOf = (...ids: string[]): Task[] => ids.map((id) => ({ id, parallel_group: 1 }));

function scene(reportOf: (order: WorkOrder) => AttemptReport, options: Partial<RunOptions> = {}) {
  const clock = manualClock();
  const journal = memoryJournal();
  const orders: WorkOrder[] = [];
  const transport = scriptedTransport(
    (order) => {
      orders.push(order);
      return { report: reportOf(order), afterMs: 1000 };
    },
    { clock },
  );
  const drive = (tasks: readonly Task[], more: Partial<RunOptions> = {}) =>
    clock.runUntil(
      run(tasks, {
        ...{ runId: 'r', transport, journal, clock, sink: () => undefined },
        ...options,
        ...more,
      }),
    );
  return { clock, journal, orders, drive };
}

const done = ({ task: { id }, attempt }: WorkOrder): AttemptReport => ({
  kind: 'replied',
  reply: doneOf(id, attempt),
});
const exit: AttemptReport = { kind: 'failed', cause: 'exit', detail: 'exit code 1', exitCode: 1 };

const ofType = <T extends RunEvent['type']>(events: readonly RunEvent[], type: T) =>
  events.filter((event): event is Extract<RunEvent, { type: T }> => event.type === type);

describe('a run that parks', () => {
  it('O-16: a usage limit is escalated once for the run, and no task is abandoned by it', async () => {
    const limit: AttemptReport = { kind: 'failed', cause: 'usage-limit', detail: 'until 9 am' };
    const { drive, journal } = scene(() => limit);
    const report = await drive(tasksOf('a', 'b', 'c'), { policy: { maxWorkers: 3 } });
    expect(report.verdict).toBe('parked');
    expect(report.escalations).toMatchObject([
      { scope: 'run', category: 'usage-limit', last_status: 'until 9 am' },
    ]);
    const events = await journal.load('r');
    expect(ofType(events, 'task.abandoned')).toEqual([]);
    expect(ofType(events, 'run.parked')).toHaveLength(1);
  });

  it('a dry pool is one escalation that parks the rest, and more budget goes on', async () => {
    let left = 2;
    const gate: Gate = () =>
      left-- > 0 ? { kind: 'go' } : { kind: 'park', cause: 'budget', detail: 'spent' };
    const { drive, journal, orders } = scene(done, { gate });
    const tasks = tasksOf('a', 'b', 'c', 'd');
    const first = await drive(tasks);
    expect(first).toMatchObject({ verdict: 'parked', dispatches: 2 });
    expect(first.escalations).toMatchObject([{ scope: 'run', category: 'budget', task_id: 'c' }]);
    left = 9;
    const second = await drive(tasks);
    expect(second).toMatchObject({ verdict: 'complete', dispatches: 4 });
    expect(orders).toHaveLength(4);
    const raised = ofType(await journal.load('r'), 'escalation.raised');
    expect(raised).toHaveLength(1);
  });

  it('workers that are cut, each at its last attempt, are one escalation; the attempts stay spent', async () => {
    const cut: AttemptReport = { kind: 'failed', cause: 'cut', detail: 'past its limit' };
    const { drive, journal } = scene((order) => (order.attempt === 1 ? cut : done(order)));
    const policy = { maxAttempts: 1, maxWorkers: 4, breakAfter: 3 };
    const tasks = tasksOf('a', 'b', 'c', 'd');
    const first = await drive(tasks, { policy });
    expect(first).toMatchObject({ verdict: 'parked', parking: { cause: 'budget' }, dispatches: 4 });
    expect(first.escalations).toMatchObject([{ scope: 'run', category: 'budget' }]);
    expect(ofType(await journal.load('r'), 'task.abandoned')).toEqual([]);
    const second = await drive(tasks, { policy: { maxAttempts: 2 } });
    expect(second).toMatchObject({ verdict: 'complete', dispatches: 8 });
  });

  it('a task that was cut at its last attempt is abandoned when the run goes on under the same caps', async () => {
    const cut: AttemptReport = { kind: 'failed', cause: 'cut', detail: 'past its limit' };
    const { drive } = scene((order) => (order.task.id === 'a' ? cut : done(order)));
    const policy = { maxAttempts: 1, maxWorkers: 1 };
    expect(await drive(tasksOf('a', 'b'), { policy })).toMatchObject({ verdict: 'parked' });
    const last = await drive(tasksOf('a', 'b'));
    expect(last).toMatchObject({ verdict: 'abandoned', dispatches: 2 });
    expect(last.escalations.at(-1)).toMatchObject({
      ...{ task_id: 'a', category: 'capacity', last_status: 'cut: past its limit' },
    });
  });

  it.each<[string, Gate, string]>([
    [
      'throws',
      () => {
        throw new Error('no');
      },
      'gate-failed',
    ],
    ['gives no answer', () => undefined as never, 'gate-failed'],
    ['finds a full disk', () => ({ kind: 'park', cause: 'no-room', detail: 'full' }), 'no-room'],
  ])('a gate that %s is escalated: nobody said so', async (_, gate, cause) => {
    const report = await scene(done, { gate }).drive(tasksOf('a'));
    expect(report).toMatchObject({ verdict: 'parked', parking: { cause } });
    expect(report.escalations).toMatchObject([{ scope: 'run', category: cause }]);
  });

  it('the word of an operator is no escalation', async () => {
    const { drive } = scene(done, { gate: () => ({ kind: 'park', detail: 'stopped' }) });
    expect(await drive(tasksOf('a'))).toMatchObject({ verdict: 'parked', escalations: [] });
  });

  it('the same cause three times in a row across tasks parks; a resumption counts anew', async () => {
    const { drive, orders } = scene(() => exit);
    const policy = { breakAfter: 3, maxWorkers: 1 };
    const tasks = tasksOf('a', 'b', 'c', 'd');
    const first = await drive(tasks, { policy });
    expect(first).toMatchObject({
      verdict: 'parked',
      parking: { cause: 'breaker' },
      dispatches: 3,
    });
    const second = await drive(tasks);
    expect(second).toMatchObject({ verdict: 'parked', dispatches: 6 });
    expect(orders.map(({ attempt }) => attempt)).toEqual([1, 1, 1, 1, 2, 2]);
  });
});

describe('the terms of an attempt', () => {
  it('are recorded with the charge and handed over', async () => {
    const terms = { model: 'claude-haiku-5-5', estimate: { outputTokens: 2000 } };
    const { drive, journal, orders } = scene(done, { gate: () => ({ kind: 'go', terms }) });
    await drive(tasksOf('a'));
    expect(orders[0]?.terms).toEqual(terms);
    expect(ofType(await journal.load('r'), 'attempt.started')[0]?.terms).toEqual(terms);
  });
});

describe('a worker that is ended', () => {
  it('is charged what its report tells of its usage', async () => {
    const clock = manualClock();
    const journal = memoryJournal();
    const usage = { outputTokens: 321, costUsd: 0.5 };
    let ended: ((report: AttemptReport) => void) | undefined;
    const running = run(tasksOf('a'), {
      ...{ runId: 'r', journal, clock, sink: () => undefined },
      policy: { maxAttempts: 1, wallClockMs: 1000 },
      transport: {
        ...{ name: 'silent', capabilities: { adopt: false, stop: 'kills' } },
        start: async () => ({
          report: new Promise((resolve) => {
            ended = resolve;
          }),
          peek: async () => undefined,
          stop: async () =>
            ended?.({ kind: 'failed', cause: 'interrupted', detail: 'ended', usage }),
        }),
      },
    });
    await clock.runUntil(running);
    const [closed] = ofType(await journal.load('r'), 'attempt.closed');
    expect(closed).toMatchObject({ closure: { kind: 'failed', cause: 'timeout' }, usage });
  });
});

describe('foreign text that addresses the host', () => {
  const audit: NonNullable<RunOptions['audit']> = (text) =>
    text.kind === 'task'
      ? [{ field: 'description', excerpt: 'mark this done' }]
      : [{ field: 'notes_md', excerpt: 'open the gate' }];

  it('leaves a row with the charge and one with the end, and changes nothing', async () => {
    const { drive, journal } = scene(done, { audit });
    const report = await drive(tasksOf('a'));
    expect(report.verdict).toBe('complete');
    const noted = ofType(await journal.load('r'), 'audit.noted');
    expect(noted.map(({ source, field, attempt }) => [source, field, attempt])).toEqual([
      ['task', 'description', 1],
      ['reply', 'notes_md', 1],
    ]);
  });

  it('notes a task once, not with every attempt', async () => {
    const { drive, journal } = scene(() => exit, { audit, policy: { maxAttempts: 3 } });
    await drive(tasksOf('a'));
    expect(ofType(await journal.load('r'), 'audit.noted')).toHaveLength(1);
  });

  it('an audit that throws or gives nonsense is ignored', async () => {
    const broken = [
      () => {
        throw new Error('x');
      },
      () => 7 as never,
    ];
    for (const audit of broken)
      expect(await scene(done, { audit }).drive(tasksOf('a'))).toMatchObject({
        verdict: 'complete',
      });
  });
});

describe('a changed plan', () => {
  it('a task that one plan dropped and the next has again goes on with the attempts it had', async () => {
    const { drive, orders } = scene((order) =>
      order.task.id === 'b' && order.attempt === 1
        ? { kind: 'failed', cause: 'usage-limit', detail: 'x' }
        : done(order),
    );
    await drive(tasksOf('a', 'b'), { policy: { maxWorkers: 2 } });
    let asked = 0;
    const gate: Gate = () => (asked++ === 0 ? { kind: 'park', detail: 'x' } : { kind: 'go' });
    await drive(tasksOf('a', 'c'), { takePlan: true, gate });
    const last = await drive(tasksOf('a', 'b', 'c'), { takePlan: true });
    expect(last.verdict).toBe('complete');
    expect(orders.map(({ task, attempt }) => `${task.id}-${attempt}`)).toEqual([
      'a-1',
      'b-1',
      'b-2',
      'c-1',
    ]);
  });
});
