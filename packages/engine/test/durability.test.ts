import { describe, expect, it } from 'vitest';
import {
  type Acceptance,
  type AttemptHandle,
  type AttemptReport,
  deliverOwed,
  type Journal,
  manualClock,
  memoryJournal,
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
  { id: 'b', parallel_group: 2, depends_on: ['a'] },
];

function scene(kind = 'done') {
  const clock = manualClock();
  const transport = scriptedTransport(
    ({ task, attempt }) => ({
      report: { kind: 'replied', reply: replyFor(kind, task.id, attempt) },
      afterMs: 1000,
    }),
    { clock },
  );
  return { clock, transport };
}

async function play(options: Partial<RunOptions> = {}, { clock, transport } = scene()) {
  const journal = memoryJournal();
  const report = await clock.runUntil(
    run(TASKS, { runId: 'r', clock, transport, journal, sink: () => undefined, ...options }),
  );
  return { report, transport, events: journal.events };
}

const upTo = (events: readonly RunEvent[], type: RunEvent['type']) =>
  events.slice(0, events.findIndex((event) => event.type === type) + 1);

const only = <T extends RunEvent['type']>(events: readonly RunEvent[], type: T) =>
  events.filter((event): event is Extract<RunEvent, { type: T }> => event.type === type);

describe('a stage that was passed', () => {
  const batched = () => {
    const journal = memoryJournal();
    const batches: string[][] = [];
    const append = (events: readonly RunEvent[]) => {
      batches.push(events.map(({ type }) => type));
      return journal.append(events);
    };
    return { batches, journal: { append, load: journal.load } satisfies Journal };
  };

  it('is durable together with what comes right behind it', async () => {
    const { batches, journal } = batched();
    const accept: Acceptance['accept'] = async (_order, _reply, { pass }) => {
      for (const stage of ['changes', 'scope', 'trial']) {
        await undefined;
        pass(stage);
      }
      return { kind: 'accepted' };
    };
    await play({ journal, acceptance: { accept } });
    const checked = batches.filter((types) => types.includes('attempt.checked'));
    expect(checked.map((types) => types.slice(0, 4))).toEqual(
      TASKS.map(() => [...Array(3).fill('attempt.checked'), 'attempt.accepted']),
    );
  });

  it('is durable soon, whatever the next one takes', async () => {
    const { batches, journal } = batched();
    const set = scene();
    const seen: number[] = [];
    const accept: Acceptance['accept'] = async (_order, _reply, { pass }) => {
      await set.clock.sleep(1_000);
      pass('verify');
      await set.clock.sleep(60_000);
      seen.push(batches.flat().filter((type) => type === 'attempt.checked').length);
      return { kind: 'accepted' };
    };
    await play({ journal, acceptance: { accept } }, set);
    expect(seen).toEqual([1, 2]);
  });
});

describe('every stage of an attempt is an event', () => {
  const checking: Acceptance = {
    accept: (_order, _reply, { pass }) => {
      pass('scope', { files: 1 });
      return { kind: 'accepted' };
    },
    integrate: (_wave, accepted, { pass }) => {
      pass('gate:tree');
      return accepted.map(({ task }) => ({ kind: 'merged', taskId: task.id }));
    },
  };

  it('charged, spawned, replied, checked, accepted, gated, completed, in this order', async () => {
    const { events } = await play({ acceptance: checking });
    const types = events.map(({ type }) => type);
    expect(types.slice(2, types.indexOf('wave.closed'))).toEqual([
      'attempt.started',
      'attempt.spawned',
      'attempt.replied',
      'attempt.checked',
      'attempt.accepted',
      'integration.started',
      'integration.checked',
      'task.completed',
    ]);
  });

  it('what the transport tells of its worker is kept', async () => {
    const { clock, transport } = scene();
    const telling: Transport = {
      ...transport,
      start: async (order, signal) => ({
        ...(await transport.start(order, signal)),
        worker: { job: `job of ${order.task.id}` },
      }),
    };
    const { events } = await play({}, { clock, transport: { ...transport, ...telling } });
    expect(only(events, 'attempt.spawned').map(({ worker }) => worker)).toEqual([
      { job: 'job of a' },
      { job: 'job of b' },
    ]);
  });

  it('a reply that is journalled goes on with its checks: no worker is looked for, none started', async () => {
    const { events } = await play({ acceptance: checking });
    const journal = journalFrom(upTo(events, 'attempt.replied'));
    const { clock, transport } = scene();
    const passed: unknown[] = [];
    const adopting: Transport = {
      ...transport,
      capabilities: { adopt: true, stop: 'kills' },
      adopt: async () => {
        throw new Error('nobody should ask');
      },
    };
    const report = await clock.runUntil(
      run(TASKS, {
        ...{ runId: 'r', clock, journal, transport: adopting },
        acceptance: {
          ...checking,
          accept: (order, reply) => {
            passed.push([order.task.id, order.attempt, reply.task_id]);
            return { kind: 'accepted' };
          },
        },
      }),
    );
    expect(report.outcomes.map(({ kind, attempts }) => [kind, attempts])).toEqual([
      ['done', 1],
      ['done', 1],
    ]);
    expect(passed[0]).toEqual(['a', 1, 'a']);
    expect(transport.started.map(({ task }) => task.id)).toEqual(['b']);
  });

  it('a step of the integration that is journalled is known to the next host', async () => {
    const { events } = await play({ acceptance: checking });
    const journal = journalFrom(upTo(events, 'integration.checked'));
    const { clock, transport } = scene();
    const known: string[][] = [];
    await clock.runUntil(
      run(TASKS, {
        ...{ runId: 'r', clock, journal, transport },
        acceptance: {
          ...checking,
          integrate: (_wave, accepted, { passed }) => {
            known.push([...passed.keys()]);
            return accepted.map(({ task }) => ({ kind: 'merged', taskId: task.id }));
          },
        },
      }),
    );
    expect(known).toEqual([['gate:tree'], []]);
  });
});

describe('adoption', () => {
  /** Says nothing until it is ended. */
  const silent = (): AttemptHandle => {
    let end = () => {};
    const report = new Promise<AttemptReport>((resolve) => {
      end = () => resolve({ kind: 'failed', cause: 'interrupted', detail: 'ended' });
    });
    return { report, peek: async () => null, stop: async () => end() };
  };

  async function adopted(adopt: NonNullable<Transport['adopt']>, policy = {}) {
    const { events } = await play();
    const journal = journalFrom(upTo(events, 'attempt.spawned'));
    const { clock, transport } = scene();
    const began = clock.now();
    const adopting = { ...transport, capabilities: { adopt: true, stop: 'kills' as const }, adopt };
    const sink = () => undefined;
    await clock.runUntil(
      run(TASKS, { runId: 'r', clock, journal, transport: adopting, sink, policy }),
    );
    const added = journal.events.slice(upTo(events, 'attempt.spawned').length);
    const [closed] = only(added, 'attempt.closed');
    return {
      added,
      closed,
      transport,
      tookMs: Date.parse(closed?.at ?? '') - clock.wall() + clock.now() - began,
    };
  }

  it.each([
    ['what is left of its wall clock', 3_000, 3_000],
    ['nothing, when nothing is left', 0, 0],
    ['no more than a whole one', 9e9, 1_800_000],
    ['a whole one when the transport can not tell', Number.NaN, 1_800_000],
  ])('a worker that is adopted gets %s', async (_name, wallClockLeftMs, expected) => {
    const { closed, tookMs } = await adopted(async ({ task }) =>
      task.id === 'a' ? { ...silent(), wallClockLeftMs } : undefined,
    );
    expect(closed?.closure).toMatchObject({ cause: 'timeout' });
    expect(tookMs).toBe(expected);
  });

  it.each([
    ['rejects', () => Promise.reject(new Error('the folder can not be read'))],
    ['hangs', () => new Promise<undefined>(() => undefined)],
  ])(
    'where it %s, the task is given up and escalated: two workers of one task is worse',
    async (_name, adopt) => {
      const { added, transport } = await adopted(adopt);
      expect(only(added, 'attempt.closed')[0]?.closure).toMatchObject({ cause: 'unstoppable' });
      expect(only(added, 'task.abandoned').map(({ taskId }) => taskId)).toEqual(['a', 'b']);
      expect(transport.started).toEqual([]);
    },
  );
});

describe('escalations are an outbox', () => {
  const failing = (times: number) => {
    const calls: string[] = [];
    const sink = (_: unknown, key: string) => {
      calls.push(key);
      if (calls.length <= times) throw new Error('not now');
    };
    return { calls, sink };
  };

  it('what the sink does not take is handed over again, under the same key', async () => {
    const { clock, transport } = scene('abandoned:scope');
    const { calls, sink } = failing(2);
    const slow: Task[] = [...TASKS, { id: 'c', parallel_group: 1 }];
    const lasting: Transport = {
      ...transport,
      start: async (order, signal) => {
        if (order.task.id === 'c') await clock.sleep(60_000);
        return transport.start(order, signal);
      },
    };
    const report = await clock.runUntil(run(slow, { runId: 'r', clock, transport: lasting, sink }));
    expect(calls.filter((key) => key === 'r/a/1').length).toBeGreaterThan(1);
    expect(report.undelivered).toBe(0);
  });

  it('a run that has ended still hands over what it owes, and records it', async () => {
    const broken = failing(Number.POSITIVE_INFINITY);
    const { events, report } = await play({ sink: broken.sink }, scene('abandoned:scope'));
    expect(report.undelivered).toBe(2);
    const journal = journalFrom(events);
    const { clock } = scene();
    const { calls, sink } = failing(0);
    expect(await clock.runUntil(deliverOwed({ runId: 'r', journal, sink, clock }))).toBe(0);
    expect(calls).toEqual(['r/a/1', 'r/b/0']);
    expect(only(journal.events, 'escalation.delivered')).toHaveLength(2);
    expect(await clock.runUntil(deliverOwed({ runId: 'r', journal, sink, clock }))).toBe(0);
    expect(calls).toHaveLength(2);
  });

  it('running a run that has ended is enough', async () => {
    const broken = failing(Number.POSITIVE_INFINITY);
    const { events } = await play({ sink: broken.sink }, scene('abandoned:scope'));
    const { calls, sink } = failing(0);
    const { clock, transport } = scene();
    const journal = journalFrom(events);
    const report = await clock.runUntil(
      run(TASKS, { runId: 'r', clock, transport, journal, sink }),
    );
    expect(report).toMatchObject({ verdict: 'abandoned', undelivered: 0, dispatches: 1 });
    expect(calls).toHaveLength(2);
  });

  it('a sink that hangs is asked again and holds nothing up', async () => {
    const calls: string[] = [];
    const sink = (_: unknown, key: string) => {
      calls.push(key);
      return new Promise<void>(() => undefined);
    };
    const { report } = await play({ sink }, scene('abandoned:scope'));
    expect(report).toMatchObject({ verdict: 'abandoned', undelivered: 2 });
  });
});

describe('work that was done and merged before', () => {
  const from = { runId: 'earlier', attempt: 3 };
  const reply = replyFor('done', 'a', 3) as never;

  it('stands for its task: nothing is charged, and dependents go on', async () => {
    const asked: string[] = [];
    const { report, events, transport } = await play({
      recall: {
        contentKey: ({ task, previous }) => {
          asked.push(`${task.id} ${previous === undefined}`);
          return `key of ${task.id}`;
        },
        find: (key) =>
          key === 'key of a'
            ? { from, reply, evidence: { merge: 'c0ffee' }, approvals: [] }
            : undefined,
      },
    });
    expect(report.outcomes).toMatchObject([
      { kind: 'done', attempts: 0, replayedFrom: from, evidence: { merge: 'c0ffee' } },
      { kind: 'done', attempts: 1 },
    ]);
    expect(transport.started.map(({ task }) => task.id)).toEqual(['b']);
    expect(only(events, 'attempt.started')).toMatchObject([{ contentKey: 'key of b' }]);
    expect(asked).toEqual(['a true', 'b true']);
  });

  it('is not asked for once an attempt was made: a failure is not undone by an old success', async () => {
    const { clock } = scene();
    const transport = scriptedTransport(
      ({ task, attempt }) => ({
        report: {
          kind: 'replied',
          reply: replyFor(attempt === 1 ? 'blocked' : 'done', task.id, attempt),
        },
      }),
      { clock },
    );
    const found: string[] = [];
    const recall = {
      contentKey: ({ task }: { readonly task: Task }) => `key of ${task.id}`,
      find: (key: string) => {
        found.push(key);
        return undefined;
      },
    };
    const { events } = await play({ recall }, { clock, transport });
    expect(found).toEqual(['key of a', 'key of b']);
    expect(only(events, 'attempt.started').map(({ contentKey }) => contentKey)).toEqual([
      'key of a',
      'key of a',
      'key of b',
      'key of b',
    ]);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('git is gone');
      },
    ],
    ['hangs', () => new Promise<never>(() => undefined)],
  ])('a recall that %s means: done anew', async (_name, find) => {
    const { report } = await play({ recall: { contentKey: () => 'key', find } });
    expect(report.outcomes).toMatchObject([
      { kind: 'done', attempts: 1 },
      { kind: 'done', attempts: 1 },
    ]);
  });

  const REVIEWED: readonly Task[] = [
    { id: 'a', parallel_group: 1, assigned_persona: 'ada', must_produce: ['x'] },
    { id: 'r', parallel_group: 1, assigned_persona: 'bea', reviews: 'a' },
  ];

  it.each([
    ['with its approvals it takes its reviewers along', ['r'], [0, 0]],
    ['without the approval of one of them it is done anew', [], [1, 1]],
  ])('%s', async (_name, reviewers, attempts) => {
    const { clock, transport } = scene();
    const approvals = reviewers.map((taskId) => ({
      ...{ taskId, from },
      reply: replyFor('done', taskId, 3) as never,
    }));
    const journal: Journal = memoryJournal();
    const report = await clock.runUntil(
      run(REVIEWED, {
        ...{ runId: 'r', clock, transport, journal },
        recall: {
          contentKey: ({ task }) => (task.id === 'a' ? 'key' : undefined),
          find: () => ({ from, reply, approvals }),
        },
      }),
    );
    expect(report.outcomes.map((outcome) => outcome.attempts)).toEqual(attempts);
    expect(report.verdict).toBe('complete');
  });
});
