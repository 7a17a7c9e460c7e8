import { describe, expect, it } from 'vitest';
import {
  type Acceptance,
  type CheckContext,
  manualClock,
  memoryJournal,
  type RunEvent,
  type RunOptions,
  run,
  scriptedTransport,
  type Task,
  type Transport,
  type WorkOrder,
} from '../src/index.ts';
import { journalFrom } from './arbitrary-run.ts';
import { replyFor } from './scenario.ts';

const author: Task = { id: 'A', parallel_group: 1, assigned_persona: 'ada' };
const reviewer: Task = { id: 'R', parallel_group: 1, assigned_persona: 'eve', reviews: 'A' };

/** Kinds of replies by task, one per attempt, the last for all that follow. */
type Script = Readonly<Record<string, readonly string[]>>;

async function play(script: Script, options: Partial<RunOptions> = {}, tasks = [author, reviewer]) {
  const clock = manualClock();
  const orders: WorkOrder[] = [];
  const events: RunEvent[] = [];
  const transport = scriptedTransport(
    (order) => {
      orders.push(order);
      const { id } = order.task;
      const kinds = script[String(id)] ?? [];
      const kind = kinds[order.attempt - 1] ?? kinds.at(-1) ?? 'done';
      const reply = { ...Object(replyFor(kind, id, order.attempt)), notes_md: `${kind} by ${id}` };
      return { report: { kind: 'replied', reply }, afterMs: 1000 };
    },
    { clock },
  );
  const report = await clock.runUntil(
    run(tasks, {
      runId: 'r',
      clock,
      transport,
      sink: () => undefined,
      onEvent: (event) => events.push(event),
      ...options,
    }),
  );
  return { report, orders, events };
}

describe('what a reviewer is given', () => {
  it('is the work under review with its reply and evidence, and not as something delivered', async () => {
    const contexts: { review?: unknown; upstream: readonly unknown[] }[] = [];
    const { orders } = await play(
      {},
      {
        acceptance: { accept: () => ({ kind: 'accepted', evidence: { commit: 'c1' } }) },
        briefing: (context) => {
          contexts.push(context);
          return '';
        },
      },
    );
    expect(orders[1]?.review).toMatchObject({
      task: { id: 'A' },
      attempt: 1,
      reply: { task_id: 'A' },
      evidence: { commit: 'c1' },
    });
    expect(contexts[1]).toMatchObject({ review: { attempt: 1 }, upstream: [] });
    expect(orders[0]?.review).toBeUndefined();
  });

  it('is not checked as work: a verdict changes no file', async () => {
    const checked: unknown[] = [];
    await play(
      {},
      {
        acceptance: {
          accept: ({ task }) => {
            checked.push(task.id);
            return { kind: 'accepted' };
          },
        },
      },
    );
    expect(checked).toEqual(['A']);
  });
});

it('the words of a reviewer that says no are the findings of its author’s next attempt', async () => {
  const { orders, report } = await play({ R: ['blocked', 'done'] });
  expect(orders.map(({ task, attempt }) => `${task.id}${attempt}`)).toEqual([
    'A1',
    'R1',
    'A2',
    'R2',
  ]);
  expect(orders[2]?.previous).toEqual({
    kind: 'failed',
    cause: 'review',
    detail: 'its reviewer R replied blocked',
    findings: 'blocked by R',
  });
  expect(report.verdict).toBe('complete');
});

it('a policy that closes held tasks does not close a reviewer that says no', async () => {
  const { report } = await play({ R: ['needs-input', 'done'] }, { policy: { onHeld: 'close' } });
  expect(report.verdict).toBe('complete');
});

it('a reviewer needs no slot beside its author: one worker at a time is enough', async () => {
  const { report } = await play({ R: ['blocked', 'done'] }, { policy: { maxWorkers: 1 } });
  expect(report.verdict).toBe('complete');
});

describe('the stages of a check', () => {
  const stages =
    (seen: string[][]): Acceptance['accept'] =>
    (_order, _reply, { passed, pass }: CheckContext) => {
      seen.push([...passed.keys()]);
      pass('scope', { files: 1 });
      pass('verify');
      return { kind: 'accepted', evidence: { ok: true } };
    };

  it('are journalled, once each, and are not gone through again by a later host', async () => {
    const journal = memoryJournal();
    const seen: string[][] = [];
    await play({}, { journal, acceptance: { accept: stages(seen) } }, [author]);
    const checked = journal.events.filter(({ type }) => type === 'attempt.checked');
    expect(checked).toMatchObject([
      { taskId: 'A', attempt: 1, stage: 'scope', evidence: { files: 1 } },
      { taskId: 'A', attempt: 1, stage: 'verify' },
    ]);
    const last = journal.events.findIndex(({ type }) => type === 'attempt.accepted');
    const again = journalFrom(journal.events.slice(0, last));
    await play(
      {},
      { journal: again, transport: adopting(), acceptance: { accept: stages(seen) } },
      [author],
    );
    expect(seen).toEqual([[], ['scope', 'verify']]);
    expect(again.events.filter(({ type }) => type === 'attempt.checked')).toHaveLength(2);
    expect(again.events.at(-1)).toMatchObject({ type: 'run.finished', verdict: 'complete' });
  });

  it('are those of one attempt: the next one begins with none', async () => {
    const seen: string[][] = [];
    await play({ R: ['blocked', 'done'] }, { acceptance: { accept: stages(seen) } });
    expect(seen).toEqual([[], []]);
  });

  it('can look at what of the same wave holds already', async () => {
    const seen: unknown[] = [];
    const accept: Acceptance['accept'] = ({ task }, _reply, context) => {
      seen.push(context.siblings.map((work) => work.task.id));
      return { kind: 'accepted', evidence: { of: String(task.id) } };
    };
    await play({}, { policy: { maxWorkers: 1 }, acceptance: { accept, integrate: mergeAll } }, [
      author,
      reviewer,
      { id: 'B', parallel_group: 1, assigned_persona: 'bob' },
    ]);
    expect(seen).toEqual([[], ['A']]);
  });
});

/** A transport of a later host that finds every worker with its reply. */
const adopting = (): Transport => ({
  name: 'adopting',
  capabilities: { adopt: true, stop: 'kills' },
  start: () => Promise.reject(new Error('nothing is to be started')),
  adopt: async ({ task, attempt }) => ({
    report: Promise.resolve({ kind: 'replied', reply: replyFor('done', task.id, attempt) }),
    peek: async () => undefined,
    stop: async () => undefined,
  }),
});

const mergeAll: NonNullable<Acceptance['integrate']> = (_wave, accepted) =>
  accepted.map(({ task }) => ({ kind: 'merged', taskId: task.id }));

describe('a host that dies during a review', () => {
  it.each([
    ['before the reviewer is charged', 'review.requested', 1],
    ['while the reviewer works', 'attempt.started', 2],
  ])('%s, loses neither the checked work nor the review', async (_, type, nth) => {
    const journal = memoryJournal();
    await play({}, { journal });
    const at = journal.events.flatMap((event, index) => (event.type === type ? [index] : []))[
      nth - 1
    ];
    const again = journalFrom(journal.events.slice(0, Number(at) + 1));
    const { report, orders } = await play({}, { journal: again });
    expect(report.verdict).toBe('complete');
    // The author is not charged again; a reviewer that is not found again is.
    expect(orders.map(({ task }) => task.id)).toEqual(['R']);
    expect(report.outcomes).toMatchObject([
      { attempts: 1 },
      { attempts: type === 'attempt.started' ? 2 : 1 },
    ]);
  });

  it('finds a reviewer that still works again, with the work under review in its order', async () => {
    const journal = memoryJournal();
    await play({}, { journal });
    const at = journal.events.findLastIndex(({ type }) => type === 'attempt.started');
    const again = journalFrom(journal.events.slice(0, at + 1));
    const found: WorkOrder[] = [];
    const transport: Transport = {
      ...adopting(),
      adopt: async (order, signal) => {
        found.push(order);
        return adopting().adopt?.(order, signal);
      },
    };
    const { report } = await play({}, { journal: again, transport });
    expect(found).toMatchObject([{ task: { id: 'R' }, review: { task: { id: 'A' }, attempt: 1 } }]);
    expect(report.outcomes).toMatchObject([
      { kind: 'done', attempts: 1 },
      { kind: 'done', attempts: 1 },
    ]);
  });

  it('and goes on with another reviewer keeps the work, and has that one look at it', async () => {
    const journal = memoryJournal();
    await play({}, { journal });
    const at = journal.events.findLastIndex(({ type }) => type === 'attempt.started');
    const again = journalFrom(journal.events.slice(0, at + 1));
    const second = { ...reviewer, id: 'R2' };
    const { report, orders } = await play({}, { journal: again, takePlan: true }, [author, second]);
    expect(orders.map(({ task, attempt }) => `${task.id}${attempt}`)).toEqual(['R21']);
    expect(report.verdict).toBe('complete');
  });
});

it('a workspace is let go when its attempt is over: checked work only after its review', async () => {
  const told: string[] = [];
  const clock = manualClock();
  const scripted = scriptedTransport(
    ({ task, attempt }) => ({
      report: {
        kind: 'replied',
        reply: replyFor(task.id === 'R' && attempt === 1 ? 'blocked' : 'done', task.id, attempt),
      },
      afterMs: 1000,
    }),
    { clock },
  );
  const transport: Transport = {
    ...scripted,
    start: (order, signal) => {
      told.push(`start ${order.task.id}${order.attempt}`);
      return scripted.start(order, signal);
    },
    release: async ({ task, attempt }) => {
      told.push(`release ${task.id}${attempt}`);
      throw new Error('changes nothing');
    },
  };
  const report = await clock.runUntil(
    run([author, reviewer], { clock, transport, sink: () => undefined }),
  );
  expect(report.verdict).toBe('complete');
  expect(told).toEqual([
    'start A1',
    'start R1',
    'release R1',
    'release A1',
    'start A2',
    'start R2',
    'release R2',
    'release A2',
  ]);
});

describe('a changed plan', () => {
  const other: Task = { id: 'Z', parallel_group: 1, assigned_persona: 'zoe' };
  const accept: Acceptance = { accept: () => ({ kind: 'accepted' }), integrate: mergeAll };

  /** The journal of a run up to the nth acceptance, as if its host had died then. */
  async function cutAfter(nth: number, tasks: readonly Task[]) {
    const journal = memoryJournal();
    await play({}, { journal, acceptance: accept, policy: { maxWorkers: 1 } }, [...tasks]);
    const ends = journal.events.flatMap(({ type }, index) =>
      type === 'attempt.accepted' ? [index] : [],
    );
    return journalFrom(journal.events.slice(0, Number(ends[nth - 1]) + 1));
  }

  it('that adds a review of accepted work has it reviewed before it counts', async () => {
    const journal = await cutAfter(1, [author, other]);
    const { report, orders } = await play(
      { R: ['blocked', 'done'] },
      { journal, acceptance: accept, takePlan: true },
      [author, other, reviewer],
    );
    expect(orders.map(({ task, attempt }) => `${task.id}${attempt}`).sort()).toEqual([
      'A2',
      'R1',
      'R2',
      'Z1',
    ]);
    expect(report.verdict).toBe('complete');
  });

  it('that gives a reviewer another author has it review that one, whatever it said of the first', async () => {
    const journal = await cutAfter(1, [author, other, reviewer]);
    expect(journal.events.at(-1)).toMatchObject({ type: 'attempt.accepted' });
    const moved = { ...reviewer, reviews: 'Z' };
    const { report, orders } = await play({}, { journal, acceptance: accept, takePlan: true }, [
      author,
      other,
      moved,
    ]);
    expect(orders.at(-1)).toMatchObject({ task: { id: 'R' }, review: { task: { id: 'Z' } } });
    expect(report.verdict).toBe('complete');
  });

  it('that takes the reviewer away accepts what was checked', async () => {
    const journal = memoryJournal();
    await play({}, { journal });
    const at = journal.events.findIndex(({ type }) => type === 'review.requested');
    const again = journalFrom(journal.events.slice(0, at + 1));
    const { report, orders } = await play({}, { journal: again, takePlan: true }, [author]);
    expect(orders).toEqual([]);
    expect(report.verdict).toBe('complete');
  });
});
