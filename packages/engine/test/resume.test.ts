import { describe, expect, it } from 'vitest';
import {
  type AttemptHandle,
  foldRun,
  manualClock,
  memoryJournal,
  outcomesOf,
  type RunEvent,
  type RunOptions,
  run,
  scriptedTransport,
  type Task,
  type Transport,
} from '../src/index.ts';
import { journalFrom } from './arbitrary-run.ts';
import { replyFor } from './scenario.ts';

const TASKS: readonly Task[] = [
  { id: 'a', parallel_group: 1 },
  { id: 'b', parallel_group: 1 },
  { id: 'c', parallel_group: 2, depends_on: ['a'] },
];

const always = (kind: string) => {
  const clock = manualClock();
  return {
    clock,
    transport: scriptedTransport(
      ({ task, attempt }) => ({
        report: { kind: 'replied', reply: replyFor(kind, task.id, attempt) },
        afterMs: 1000,
      }),
      { clock },
    ),
  };
};

/** The first event of a run of these tasks, and no more. */
async function startedWith(tasks: readonly Task[]): Promise<readonly RunEvent[]> {
  const { clock, transport } = always('done');
  const journal = memoryJournal();
  await clock.runUntil(run(tasks, { runId: 'r', clock, transport, journal }));
  return journal.events.slice(0, 1);
}

async function whole(kind: string): Promise<readonly RunEvent[]> {
  const { clock, transport } = always(kind);
  const journal = memoryJournal();
  await clock.runUntil(
    run(TASKS, { runId: 'r', clock, transport, journal, sink: () => undefined }),
  );
  return journal.events;
}

/** A run up to the first event of a type, that one included. */
async function until(type: RunEvent['type'], kind = 'done'): Promise<RunEvent[]> {
  const events = await whole(kind);
  const at = events.findIndex((event) => event.type === type);
  // A batch is never cut: take the charges that were made together.
  const upTo = events.findLastIndex((event, i) => i <= at + 1 && event.type === type);
  return events.slice(0, upTo + 1);
}

async function resumed(
  history: readonly RunEvent[],
  options: Partial<RunOptions> = {},
  { clock, transport } = always('done'),
) {
  const journal = journalFrom(history);
  const report = await clock.runUntil(
    run(TASKS, { runId: 'r', clock, transport, journal, sink: () => undefined, ...options }),
  );
  return { report, transport, added: journal.events.slice(history.length) };
}

describe('a run that the journal knows', () => {
  it('is continued: a worker that did not survive is a lost attempt, charged once', async () => {
    const { report, added } = await resumed(await until('attempt.started'));
    expect(added.slice(0, 3).map(({ type }) => type)).toEqual([
      'run.resumed',
      'attempt.closed',
      'attempt.closed',
    ]);
    expect(added[1]).toMatchObject({ closure: { kind: 'failed', cause: 'lost' } });
    expect(report.verdict).toBe('complete');
    expect(report.outcomes.map(({ attempts }) => attempts)).toEqual([2, 2, 1]);
  });

  it('goes on where several workers did not survive: that they ended with their host is no fault that breaks', async () => {
    const { report } = await resumed(await until('attempt.started'), {
      policy: { breakAfter: 2 },
    });
    expect(report.verdict).toBe('complete');
  });

  it('adopts a worker that the transport still knows: same attempt, no new charge', async () => {
    const { clock, transport } = always('done');
    const asked: string[] = [];
    const adopting: Transport = {
      ...transport,
      capabilities: { adopt: true, stop: 'kills' },
      adopt: async ({ task, attempt, nonce }): Promise<AttemptHandle | undefined> => {
        asked.push(`${task.id}/${attempt}/${nonce}`);
        if (task.id !== 'a') return undefined;
        return {
          report: Promise.resolve({ kind: 'replied', reply: replyFor('done', 'a', 1) }),
          peek: async () => null,
          stop: async () => undefined,
        };
      },
    };
    const history = await until('attempt.started');
    const nonces = history.flatMap((event) =>
      event.type === 'attempt.started' ? event.nonce : [],
    );
    const { report } = await resumed(history, { transport: adopting }, { clock, transport });
    expect(asked).toEqual([`a/1/${nonces[0]}`, `b/1/${nonces[1]}`]);
    expect(report.outcomes.map(({ attempts }) => attempts)).toEqual([1, 2, 1]);
  });

  it('does nothing when it had ended', async () => {
    const { clock, transport } = always('done');
    const journal = memoryJournal();
    const first = await clock.runUntil(run(TASKS, { runId: 'r', clock, transport, journal }));
    const again = await resumed(journal.events);
    expect(again.report).toEqual(first);
    expect(again.added).toEqual([]);
    expect(again.transport.started).toEqual([]);
  });

  it('goes on after it was parked', async () => {
    const journal = memoryJournal();
    const { clock, transport } = always('done');
    const parked = await clock.runUntil(
      run(TASKS, {
        runId: 'r',
        clock,
        transport,
        journal,
        gate: ({ task }) => (task.id === 'b' ? { kind: 'park', detail: 'dry' } : { kind: 'go' }),
      }),
    );
    expect(parked).toMatchObject({ verdict: 'parked', dispatches: 1 });
    const { report } = await resumed(journal.events);
    expect(report.verdict).toBe('complete');
    expect(report.outcomes.map(({ attempts }) => attempts)).toEqual([1, 1, 1]);
  });

  it('keeps the policy that it was started with', async () => {
    const { clock, transport } = always('blocked');
    const journal = memoryJournal();
    const policy = { maxAttempts: 2, onHeld: 'retry', maxWorkers: 1 } as const;
    const options = { runId: 'r', clock, transport, journal, policy, sink: () => undefined };
    const stop = new AbortController();
    void clock.sleep(1500).then(() => stop.abort());
    await clock.runUntil(run(TASKS, { ...options, signal: stop.signal }));
    const { policy: _, ...without } = options;
    const report = await clock.runUntil(run(TASKS, without));
    expect(report.outcomes.map(({ attempts }) => attempts)).toEqual([2, 2, 0]);
  });

  it('a changed row speaks for itself: lost by its row it cascades, closed no more it runs', async () => {
    const { clock, transport } = always('done');
    const first = [{ id: 'x', parallel_group: 1, status: 'complete' }, ...TASKS];
    const journal = journalFrom(await startedWith(first));
    const changed: readonly Task[] = [
      { id: 'x', parallel_group: 1 },
      { id: 'b', parallel_group: 1, status: 'abandoned' },
      { id: 'd', parallel_group: 2, depends_on: ['b'] },
    ];
    const report = await clock.runUntil(
      run(changed, {
        runId: 'r',
        clock,
        transport,
        journal,
        takePlan: true,
        sink: () => undefined,
      }),
    );
    expect(report.outcomes).toMatchObject([
      { taskId: 'x', kind: 'done' },
      { taskId: 'd', kind: 'engine-abandon', category: 'blocked', upstreamId: 'b' },
    ]);
  });

  it('applies lower caps to what is dispatched from then on', async () => {
    const { report } = await resumed(await until('attempt.started'), {
      policy: { maxAttempts: 1 },
    });
    expect(report.outcomes.map(({ kind }) => kind)).toEqual(Array(3).fill('engine-abandon'));
    expect(report.dispatches).toBe(2);
  });

  it('delivers the escalations that the earlier host did not', async () => {
    const history = await until('escalation.raised', 'abandoned:scope');
    const told: string[] = [];
    await resumed(history, { sink: (_, key) => told.push(key) });
    expect(told[0]).toBe('r/a/1');
    expect(new Set(told).size).toBe(told.length);
  });

  it('goes on with a changed plan when that is meant: what has ended is not repeated', async () => {
    const history = await until('task.completed');
    const tasks: readonly Task[] = [
      { id: 'a', parallel_group: 1 },
      { id: 'd', parallel_group: 2, depends_on: ['a'] },
      { id: 'c', parallel_group: 3, depends_on: ['d'], description: 'otherwise' },
    ];
    const { clock, transport } = always('done');
    const journal = journalFrom(history);
    const report = await clock.runUntil(
      run(tasks, { runId: 'r', clock, transport, journal, takePlan: true, sink: () => undefined }),
    );
    expect(report.verdict).toBe('complete');
    expect(transport.started.map(({ task }) => task.id)).toEqual(['d', 'c']);
    expect(transport.started[1]?.task.description).toBe('otherwise');
    expect(report.outcomes).toMatchObject([
      { taskId: 'a', kind: 'done', attempts: 1 },
      { taskId: 'd', kind: 'done' },
      { taskId: 'c', kind: 'done' },
    ]);
    const replayed = foldRun(JSON.parse(JSON.stringify(journal.events)));
    expect(outcomesOf(replayed)).toEqual(report.outcomes);
  });

  it('a changed plan keeps what was lost: its dependents cascade', async () => {
    const history = await until('task.abandoned', 'abandoned:scope');
    const closing = history.findIndex(({ type }) => type === 'task.abandoned') + 2;
    const journal = journalFrom((await whole('abandoned:scope')).slice(0, closing));
    const tasks = [...TASKS, { id: 'e', parallel_group: 3, depends_on: ['a'] }];
    const { clock, transport } = always('done');
    const report = await clock.runUntil(
      run(tasks, { runId: 'r', clock, transport, journal, takePlan: true, sink: () => undefined }),
    );
    expect(report.outcomes.find(({ taskId }) => taskId === 'e')).toMatchObject({
      kind: 'engine-abandon',
      category: 'blocked',
      upstreamId: 'a',
    });
  });

  it('is refused with other tasks', async () => {
    const history = await until('attempt.started');
    const { clock, transport } = always('done');
    const running = run(TASKS.slice(0, 2), {
      runId: 'r',
      clock,
      transport,
      journal: journalFrom(history),
    });
    await expect(running).rejects.toMatchObject({ code: 'RUN_MISMATCH' });
  });
});
