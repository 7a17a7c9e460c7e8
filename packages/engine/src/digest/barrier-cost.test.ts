import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../core/event.ts';
import type { Task } from '../core/task.ts';
import { type ManualClock, manualClock } from '../memory/manual-clock.ts';
import { memoryJournal } from '../memory/memory-journal.ts';
import { scriptedTransport } from '../memory/scripted-transport.ts';
import type { RunOptions } from '../shell/options.ts';
import { run } from '../shell/run.ts';
import { barrierCost } from './barrier-cost.ts';

/** A task that says all of itself: it reads nothing and writes one file of its own. */
const own = (id: string, parallel_group: number, ...depends_on: string[]): Task => ({
  ...{ id, parallel_group, depends_on, reads: [], writes: [`${id}.txt`] },
});

/** Seconds that bringing a wave together takes. */
const MERGE_S = 4;

/** What each task takes, in seconds, and when the run is interrupted, if it is. */
interface Timing {
  readonly seconds: Readonly<Record<string, number>>;
  readonly clock?: ManualClock;
  readonly abortAtS?: number;
}

async function played(
  tasks: readonly Task[],
  { seconds, clock = manualClock(), abortAtS }: Timing,
  options: Partial<RunOptions> = {},
): Promise<readonly RunEvent[]> {
  const journal = options.journal ?? memoryJournal();
  const transport = scriptedTransport(
    ({ task, attempt }) => {
      const reply = { type: 'task_result', task_id: task.id, attempt, status: 'done' };
      return {
        report: { kind: 'replied', reply: { ...reply, artifacts: ['f'], notes_md: '' } },
        afterMs: (seconds[String(task.id)] ?? 0) * 1000,
      };
    },
    { clock },
  );
  const stop = new AbortController();
  if (abortAtS !== undefined) void clock.sleep(abortAtS * 1000).then(() => stop.abort());
  await clock.runUntil(
    run(tasks, {
      ...{ runId: 'r', clock, transport, sink: () => undefined, signal: stop.signal },
      acceptance: {
        accept: () => ({ kind: 'accepted' }),
        integrate: async (_, accepted) => {
          await clock.sleep(MERGE_S * 1000);
          return accepted.map(({ task }) => ({ kind: 'merged', taskId: task.id }));
        },
      },
      ...options,
      journal,
    }),
  );
  return journal.load('r');
}

const PLAN = [own('a', 1), own('b', 1), own('c', 2, 'b'), own('d', 2, 'a'), own('e', 3)];

const SECONDS = { a: 60, b: 10, c: 20, d: 5, e: 1 };

describe('what the barrier cost', () => {
  /**
   * 0 a and b start, 10 b, 60 a and the merge, 64 c and d start, 69 d, 84 c and the merge, 88 e starts, 89 the merge,
   * 93 the end. b waits from 10 to 60, d from 69 to 84. c needs b, which could have been merged at 14; e needs nobody;
   * d needs a, which held the wave up itself.
   */
  test('an example by hand', async () => {
    expect(barrierCost(await played(PLAN, { seconds: SECONDS }))).toEqual({
      runMs: 93_000,
      heldMs: 65_000,
      held: 2,
      longest: { taskId: 'b', ms: 50_000 },
      movable: 2,
      moves: [
        { taskId: 'e', ms: 88_000 },
        { taskId: 'c', ms: 50_000 },
      ],
    });
  });

  /** With two workers, one of them is free from 10 and again from 69 on. */
  test('no task could have started while every worker was busy', async () => {
    const events = await played(PLAN, { seconds: SECONDS }, { policy: { maxWorkers: 2 } });
    expect(barrierCost(events)?.moves).toEqual([
      { taskId: 'c', ms: 50_000 },
      { taskId: 'e', ms: 19_000 },
    ]);
  });

  test('decision 3: what is not declared could not have moved', async () => {
    const bare = PLAN.map(({ writes: _, ...task }) => task);
    const cost = barrierCost(await played(bare, { seconds: SECONDS }));
    expect(cost).toMatchObject({ heldMs: 65_000, movable: 0, moves: [] });
  });

  test('a task waits for every earlier one with which it conflicts', async () => {
    const tasks = PLAN.map((task) => (task.id === 'e' ? { ...task, reads: ['c.txt'] } : task));
    const cost = barrierCost(await played(tasks, { seconds: SECONDS }));
    expect(cost?.moves).toEqual([{ taskId: 'c', ms: 50_000 }]);
  });

  /** a is checked at 10 and approved at 15; the merge of the wave begins at 60. */
  test('an approval is no work of its own, and does not keep back who waits for the author', async () => {
    const tasks = [
      { ...own('a', 1), assigned_persona: 'dev' },
      { id: 'r', parallel_group: 1, reviews: 'a', reads: [], assigned_persona: 'critic' },
      own('long', 1),
      own('c', 2, 'a'),
    ];
    const cost = barrierCost(await played(tasks, { seconds: { a: 10, r: 5, long: 60, c: 1 } }));
    expect(cost).toMatchObject({
      ...{ heldMs: 45_000, held: 1, longest: { taskId: 'a', ms: 45_000 } },
      moves: [{ taskId: 'c', ms: 45_000 }],
    });
  });

  /** b is checked at 10; a is stopped at 30 and takes 60 again from the resumption on. */
  test('the time in which nobody drives the run is not counted', async () => {
    const clock = manualClock();
    const journal = memoryJournal();
    const tasks = PLAN.slice(0, 2);
    await played(tasks, { seconds: SECONDS, clock, abortAtS: 30 }, { journal });
    await clock.advance(3_600_000);
    const cost = barrierCost(await played(tasks, { seconds: SECONDS, clock }, { journal }));
    expect(cost).toMatchObject({ runMs: 94_000, heldMs: 80_000, held: 1 });
  });

  test('a run without barriers has none that cost anything', async () => {
    const events = await played(PLAN, { seconds: SECONDS }, { policy: { schedule: 'pipeline' } });
    expect(barrierCost(events)).toBeUndefined();
    expect(barrierCost([])).toBeUndefined();
  });

  test('of many tasks that could have moved twenty are listed, and all are counted', async () => {
    const many = Array.from({ length: 30 }, (_, index) => own(`t${index}`, 2));
    const cost = barrierCost(await played([own('a', 1), ...many], { seconds: { a: 60 } }));
    expect(cost?.movable).toBe(30);
    expect(cost?.moves).toHaveLength(20);
  });

  test('one wave whose tasks end at the same time costs nothing', async () => {
    const runs = fc.record({
      ids: fc.uniqueArray(fc.stringMatching(/^[a-z]{1,3}$/u), { minLength: 1, maxLength: 6 }),
      each: fc.integer({ min: 0, max: 100 }),
    });
    await fc.assert(
      fc.asyncProperty(runs, async ({ ids, each }) => {
        const seconds = Object.fromEntries(ids.map((id) => [id, each]));
        const events = await played(
          ids.map((id) => own(id, 1)),
          { seconds },
          { policy: { maxWorkers: 6 } },
        );
        const runMs = (each + MERGE_S) * 1000;
        expect(barrierCost(events)).toEqual({ runMs, heldMs: 0, held: 0, movable: 0, moves: [] });
      }),
      { numRuns: 10 },
    );
  });

  test('whatever the times of the events are, no number is negative', async () => {
    const events = await played(PLAN, { seconds: SECONDS }, { policy: { maxWorkers: 2 } });
    const time = fc.oneof(
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      fc.constant('no time'),
    );
    fc.assert(
      fc.property(
        fc.array(time, { minLength: events.length, maxLength: events.length }),
        (times) => {
          const cost = barrierCost(
            events.map((event, index) => ({ ...event, at: times[index] ?? '' })),
          );
          const all = [cost?.runMs, cost?.heldMs, ...(cost?.moves ?? []).map(({ ms }) => ms)];
          for (const ms of all) expect(ms).toBeGreaterThanOrEqual(0);
          expect(cost?.longest?.ms ?? 0).toBeLessThanOrEqual(cost?.runMs ?? 0);
          for (const { ms } of cost?.moves ?? []) expect(ms).toBeLessThanOrEqual(cost?.runMs ?? 0);
        },
      ),
      { numRuns: 40 },
    );
  });
});
