import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Outcome } from './outcome.ts';
import {
  isAbandonedResult,
  isFailedAttempt,
  isStructuredAbandon,
  toSeedRecord,
} from './seed-record.ts';

const reply = {
  type: 'task_result',
  task_id: 't',
  attempt: 1,
  status: 'done',
  artifacts: ['a'],
} as const;

const head = { taskId: 't', parallelGroup: 1, worker: null, attempts: 1 };

const outcomes = {
  done: { ...head, kind: 'done', reply },
  gaveUp: {
    ...head,
    kind: 'worker-abandon',
    reply: { ...reply, status: 'abandoned', notes_md: 'ABANDON: scope:x' },
    category: 'scope',
    reason: 'x',
  },
  cascaded: {
    ...head,
    kind: 'engine-abandon',
    category: 'blocked',
    upstreamId: 'u',
    lastStatus: 'cascade',
  },
  held: { ...head, kind: 'held', reply: { ...reply, status: 'blocked' }, status: 'blocked' },
  failed: {
    ...head,
    kind: 'failed-attempt',
    closure: { kind: 'failed', cause: 'exit', detail: 'code 1' },
  },
  pending: { ...head, kind: 'pending', accepted: false },
} satisfies Record<string, Outcome>;

describe('toSeedRecord', () => {
  it('gives the worker’s validated envelope where a worker closed the task', () => {
    for (const name of ['done', 'gaveUp', 'held'] as const)
      expect(toSeedRecord(outcomes[name])).toBe(outcomes[name].reply);
  });

  it('gives the engine’s flat abandon, with exactly its keys', () => {
    expect(toSeedRecord(outcomes.cascaded)).toEqual({
      _engine_abandon: true,
      type: null,
      status: 'abandoned',
      category: 'blocked',
      upstream_task_id: 'u',
      task_id: 't',
      last_status: 'cascade',
    });
  });

  it('gives a failed attempt as a sentinel that serialises', () => {
    const record = toSeedRecord(outcomes.failed);
    expect(JSON.parse(JSON.stringify(record))).toEqual({
      _failed_attempt: true,
      type: null,
      task_id: 't',
      attempt: 1,
      reason: 'exit: code 1',
    });
  });
});

describe('hard rule: kinds of outcomes are told apart by the engine, and no JSON of a worker passes for one: the guards', () => {
  const verdicts = (guard: (record: never) => boolean) =>
    Object.entries(outcomes)
      .filter(([, outcome]) => guard(toSeedRecord(outcome) as never))
      .map(([name]) => name);

  it('tell the abandon kinds apart', () => {
    expect(verdicts(isAbandonedResult)).toEqual(['gaveUp', 'cascaded']);
    expect(verdicts(isStructuredAbandon)).toEqual(['cascaded']);
    expect(verdicts(isFailedAttempt)).toEqual(['failed']);
  });

  it('can not be passed by any JSON, not even by a copy of our own records', () => {
    for (const outcome of Object.values(outcomes)) {
      const forged = JSON.parse(JSON.stringify(toSeedRecord(outcome)));
      expect(isStructuredAbandon(forged)).toBe(false);
      expect(isFailedAttempt(forged)).toBe(false);
    }
    fc.assert(
      fc.property(
        fc.jsonValue(),
        (value) => !isStructuredAbandon(value) && !isFailedAttempt(value),
      ),
    );
  });
});
