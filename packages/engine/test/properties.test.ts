import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  foldRun,
  outcomesOf,
  type Policy,
  type RunEvent,
  type RunReport,
  type Task,
} from '../src/index.ts';
import { proofOf } from '../src/plan/index.ts';
import {
  type ArbitraryRun,
  arbitraryRun,
  journalFrom,
  observeRun,
  pairsOf,
} from './arbitrary-run.ts';

const CLOSED = new Set(['complete', 'abandoned', 'held']);
const TERMINAL = new Set(['task.completed', 'task.abandoned', 'task.held']);

const live = ({ tasks }: ArbitraryRun) => tasks.filter(({ status }) => !CLOSED.has(status ?? ''));

const holds = (property: (given: ArbitraryRun) => Promise<void>, numRuns = 300) =>
  fc.assert(fc.asyncProperty(arbitraryRun, property), { numRuns });

const under = (schedule: NonNullable<Policy['schedule']>, given: ArbitraryRun): ArbitraryRun => ({
  ...given,
  policy: { ...given.policy, schedule },
});

const idOf = (event: RunEvent) => ('taskId' in event ? String(event.taskId) : undefined);

const indexOfEnd = (events: readonly RunEvent[], task: Task) =>
  events.findIndex((event) => TERMINAL.has(event.type) && idOf(event) === String(task.id));

describe('termination', () => {
  it('every run ends, with at most tasks × maxAttempts dispatches', () =>
    holds(async (given) => {
      const { report } = await observeRun(given);
      const { maxAttempts = 5 } = given.policy;
      const bound = live(given).reduce(
        (sum, { attempts }) => sum + Math.max(0, maxAttempts - (attempts ?? 0)),
        0,
      );
      expect(report.dispatches).toBeLessThanOrEqual(bound);
      expect(['complete', 'abandoned']).toContain(report.verdict);
      const open = report.outcomes.filter(
        ({ kind }) => kind === 'pending' || kind === 'failed-attempt',
      );
      expect(open).toEqual([]);
    }));
});

describe('single charge', () => {
  it('an attempt is charged once, numbered in sequence, and ended before the next of its task', () =>
    holds(async (given) => {
      const { events } = await observeRun(given);
      for (const task of live(given)) {
        let attempts = task.attempts ?? 0;
        let running = false;
        for (const event of events.filter((one) => idOf(one) === String(task.id))) {
          if (event.type === 'attempt.started') {
            expect(running).toBe(false);
            expect(event.attempt).toBe(attempts + 1);
            attempts = event.attempt;
            running = true;
          } else if (event.type === 'attempt.accepted') running = false;
          else if (event.type === 'attempt.closed') {
            expect(event.attempt).toBe(attempts);
            running = false;
          }
        }
        expect(running).toBe(false);
      }
    }));

  it('never has two live workers of one task, nor more than maxWorkers', () =>
    holds(async (given) => {
      const seen = await observeRun(given);
      expect(seen.mostAliveOfOneTask).toBeLessThanOrEqual(1);
      expect(seen.mostAlive).toBeLessThanOrEqual(given.policy.maxWorkers ?? 5);
    }));
});

describe('the barrier', () => {
  it('dispatches nothing of a wave before every task of the waves before it has ended', () =>
    holds(async (any) => {
      const given = under('parallel', any);
      const { events } = await observeRun(given);
      const own = new Map(
        given.tasks.map(({ id, parallel_group }) => [String(id), parallel_group ?? 0]),
      );
      const authors = pairsOf(given.tasks);
      const groups = new Map([...own].map(([id]) => [id, own.get(authors.get(id) ?? id) ?? 0]));
      events.forEach((event, at) => {
        if (event.type !== 'attempt.started') return;
        const group = groups.get(String(event.taskId)) ?? 0;
        for (const earlier of live(given).filter(
          ({ id }) => Number(groups.get(String(id))) < group,
        )) {
          const end = indexOfEnd(events, earlier);
          expect(end).toBeGreaterThanOrEqual(0);
          expect(end).toBeLessThan(at);
        }
      });
    }));
});

describe('without barriers', () => {
  const groupsOf = ({ tasks }: ArbitraryRun) => {
    const own = new Map(tasks.map(({ id, parallel_group }) => [`${id}`, parallel_group ?? 0]));
    const authors = pairsOf(tasks);
    return (id: string) => Number(own.get(authors.get(id) ?? id));
  };

  it('a task starts when what it needs is merged, and everything earlier or in flight is proved independent', async () => {
    let ahead = 0;
    await holds(async (any) => {
      const given = under('pipeline', any);
      const { events } = await observeRun(given);
      const { independent } = proofOf(given.tasks);
      const authors = pairsOf(given.tasks);
      const groupOf = groupsOf(given);
      const undeclared = (id: string) =>
        given.tasks.some((one) => `${one.id}` === id && (!one.reads || !one.writes));
      const open = new Set(live(given).map(({ id }) => `${id}`));
      const inFlight = new Set<string>();
      for (const event of events) {
        const id = idOf(event) ?? '';
        if (TERMINAL.has(event.type)) open.delete(id);
        if (TERMINAL.has(event.type) || event.type === 'attempt.closed') inFlight.delete(id);
        if (event.type !== 'attempt.started') continue;
        const isReview = event.reviews !== undefined;
        for (const other of isReview ? [] : open) {
          if (other === id || authors.has(other)) continue;
          const [theirs, ours] = [groupOf(other), groupOf(id)];
          if (theirs > ours && !inFlight.has(other)) continue;
          if (theirs === ours && (!inFlight.has(other) || undeclared(id) || undeclared(other)))
            continue;
          expect(independent(other, id), `${id} beside ${other}`).toBe(true);
          if (theirs < ours) ahead += 1;
        }
        inFlight.add(id);
      }
    });
    // Some did start before an earlier wave had ended.
    expect(ahead).toBeGreaterThan(20);
  });

  it('every task ends as it would behind barriers', () =>
    holds(async (any) => {
      // Refusals by chance of the order in which work arrives are no part of what a schedule promises.
      const given = {
        ...any,
        acceptance: any.acceptance === 'picky' ? 'all' : any.acceptance,
      } as const;
      const [behind, without] = await Promise.all(
        (['parallel', 'pipeline'] as const).map((schedule) => observeRun(under(schedule, given))),
      );
      const ends = (report: RunReport | undefined) =>
        report?.outcomes.map(({ taskId, parallelGroup, kind, attempts }) => ({
          ...{ taskId, parallelGroup, kind, attempts },
        }));
      expect(ends(without?.report)).toEqual(ends(behind?.report));
      expect(without?.report.verdict).toBe(behind?.report.verdict);
    }));

  it('work is integrated as soon as it is accepted, one task at a time', () =>
    holds(async (any) => {
      const { events } = await observeRun({ ...under('pipeline', any), acceptance: 'merging' });
      for (const event of events)
        if (event.type === 'integration.started') expect(event.taskIds).toHaveLength(1);
    }, 100));
});

describe('a review', () => {
  it('is of the attempt that counts: no author is done without every reviewer of that very attempt', () =>
    holds(async (given) => {
      const { events, report } = await observeRun(given);
      const outcomes = new Map(report.outcomes.map((one) => [String(one.taskId), one]));
      for (const [reviewer, author] of pairsOf(given.tasks)) {
        const [theirs, own] = [outcomes.get(author), outcomes.get(reviewer)];
        // They close together, the author never without an approval.
        if (theirs?.kind === 'done') expect(own?.kind).toBe('done');
        if (theirs?.kind !== 'done') expect(own?.kind).not.toBe('done');
        if (theirs?.kind !== 'done') continue;
        const begun = events.findLast(
          (event) => event.type === 'attempt.started' && idOf(event) === reviewer,
        );
        expect(begun).toMatchObject({ reviews: { attempt: theirs.attempts } });
        const approved = events.findLastIndex(
          (event) => event.type === 'attempt.accepted' && idOf(event) === reviewer,
        );
        const accepted = events.findLastIndex(
          (event) => event.type === 'attempt.accepted' && idOf(event) === author,
        );
        expect(approved).toBeGreaterThan(-1);
        expect(approved).toBeLessThan(accepted);
      }
    }));

  it('is only of work that is checked, and ends before the next attempt of its author', () =>
    holds(async (given) => {
      const { events } = await observeRun(given);
      const requested = new Map<string, number>();
      const reviewing = new Map<string, string>();
      for (const event of events) {
        if (event.type === 'review.requested') requested.set(String(event.taskId), event.attempt);
        if (event.type === 'attempt.started') {
          expect([...reviewing.values()]).not.toContain(String(event.taskId));
          if (event.reviews) {
            const author = String(event.reviews.taskId);
            expect(requested.get(author)).toBe(event.reviews.attempt);
            reviewing.set(String(event.taskId), author);
          } else requested.delete(String(event.taskId));
        }
        if (event.type === 'attempt.accepted' || event.type === 'attempt.closed')
          reviewing.delete(String(event.taskId));
      }
    }));
});

describe('the cascade', () => {
  it('never dispatches a task that lost an upstream, however far up, and never charges it', () =>
    holds(async (given) => {
      const { events, report } = await observeRun(given);
      const byId = new Map(given.tasks.map((task) => [String(task.id), task]));
      const lost = new Set([
        ...given.tasks.filter(({ status }) => status === 'abandoned').map(({ id }) => String(id)),
        ...report.outcomes
          .filter(({ kind }) => kind !== 'done')
          .map(({ taskId }) => String(taskId)),
      ]);
      const ancestors = (id: string): string[] =>
        (byId.get(id)?.depends_on ?? []).flatMap((up) => [String(up), ...ancestors(String(up))]);
      for (const outcome of report.outcomes) {
        const id = String(outcome.taskId);
        if (!ancestors(id).some((up) => lost.has(up))) continue;
        expect(outcome).toMatchObject({ kind: 'engine-abandon', category: 'blocked' });
        expect(outcome.attempts).toBe(byId.get(id)?.attempts ?? 0);
        expect(events.some((one) => one.type === 'attempt.started' && idOf(one) === id)).toBe(
          false,
        );
      }
    }));
});

describe('escalation', () => {
  it('exactly one for each task that did not end done, none for the others, each in the batch of its abandonment', () =>
    holds(async (given) => {
      const batches: (readonly RunEvent[])[] = [];
      const journal = journalFrom([]);
      const spy = {
        ...journal,
        append: (batch: readonly RunEvent[]) => {
          batches.push(batch);
          return journal.append(batch);
        },
      };
      const { report, delivered } = await observeRun(given, { journal: spy });
      const due = report.outcomes.filter(({ kind }) => kind !== 'done').map(({ taskId }) => taskId);
      const ofTasks = report.escalations.filter(({ scope }) => scope !== 'run');
      expect(ofTasks.map(({ task_id }) => task_id).sort()).toEqual([...due].sort());
      expect(delivered).toEqual(report.escalations);
      for (const batch of batches) {
        const raised = batch.filter(({ type }) => type === 'escalation.raised').length;
        const lost = batch.filter(
          ({ type }) => type === 'task.abandoned' || type === 'task.held',
        ).length;
        const parked = batch.filter((one) => one.type === 'run.parked' && one.cause !== 'gate');
        expect(raised).toBe(lost + parked.length);
        for (const event of batch) {
          if (event.type !== 'attempt.closed' || event.attempt < (given.policy.maxAttempts ?? 5))
            continue;
          // A spent budget is told at once, not when the task would be next.
          const ended = batch.some((one) => TERMINAL.has(one.type) && idOf(one) === idOf(event));
          expect(ended).toBe(true);
        }
      }
    }));
});

describe('the journal', () => {
  it('replay equals live: folding the stored events gives the same outcomes', () =>
    holds(async (given) => {
      const { events, report } = await observeRun(given);
      const stored = JSON.parse(JSON.stringify(events)) as RunEvent[];
      const state = foldRun(stored);
      expect(outcomesOf(state)).toEqual(JSON.parse(JSON.stringify(report.outcomes)));
      expect(state.verdict).toBe(report.verdict);
      expect(state.escalations).toEqual(report.escalations);
    }));

  it('is told before anybody else: whatever a listener, a worker or the sink sees is already in it', () =>
    holds(async (given) => {
      const journal = journalFrom([]);
      const kept = (type: RunEvent['type'], id: unknown, attempt: number) =>
        journal.events.some(
          (one) =>
            one.type === type && 'attempt' in one && one.taskId === id && one.attempt === attempt,
        );
      const breaches: string[] = [];
      await observeRun(given, {
        journal,
        briefing: ({ task, attempt }) => {
          if (!kept('attempt.started', task.id, attempt)) breaches.push(`start of ${task.id}`);
          return '';
        },
        onEvent: (event) => {
          if (!journal.events.includes(event)) breaches.push(event.type);
        },
        sink: ({ task_id, attempt }) => {
          if (!kept('task.abandoned', task_id, attempt) && !kept('task.held', task_id, attempt))
            breaches.push(`escalation of ${task_id}`);
        },
      });
      expect(breaches).toEqual([]);
    }, 100));

  it('can be cut after any batch: the resumed run ends every task, repeats none, and keeps the bound', () =>
    holds(async (given) => {
      const whole = journalFrom([]);
      const cuts: number[] = [];
      const spy = {
        ...whole,
        append: async (batch: readonly RunEvent[]) => {
          await whole.append(batch);
          cuts.push(whole.events.length);
        },
      };
      await observeRun(given, { journal: spy });
      const { maxAttempts = 5 } = given.policy;
      for (const cut of cuts.slice(0, -1)) {
        const history = whole.events.slice(0, cut);
        const journal = journalFrom(history);
        const { report } = await observeRun(given, { journal });
        expect(['complete', 'abandoned']).toContain(report.verdict);
        const done = new Set(history.filter(({ type }) => TERMINAL.has(type)).map(idOf));
        const repeated = journal.events
          .slice(cut)
          .filter((one) => one.type === 'attempt.started' && done.has(idOf(one)));
        expect(repeated).toEqual([]);
        for (const outcome of report.outcomes)
          if (outcome.kind !== 'engine-abandon')
            expect(outcome.attempts).toBeLessThanOrEqual(maxAttempts);
        const due = report.outcomes.filter(({ kind }) => kind !== 'done');
        expect(report.escalations.length).toBe(due.length);
      }
    }, 40));
});
