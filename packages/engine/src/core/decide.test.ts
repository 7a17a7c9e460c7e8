import { describe, expect, it } from 'vitest';
import { decide } from './decide.ts';
import type { RunEvent } from './event.ts';
import { evolve } from './evolve.ts';
import type { RunInput } from './input.ts';
import { checkPolicy } from './policy.ts';
import { emptyState, type RunState } from './state.ts';

/** A run of one task, after the given inputs. */
function after(...inputs: RunInput[]): { state: RunState; step: (input: RunInput) => string[] } {
  const state = emptyState(checkPolicy());
  const step = (input: RunInput) =>
    decide(state, input).map((fact) => {
      const event: RunEvent = { ...fact, runId: 'r', seq: state.seq + 1, at: '' };
      evolve(state, event);
      return event.type;
    });
  for (const input of inputs) step(input);
  return { state, step };
}

const start: RunInput = {
  kind: 'start',
  tasks: [{ id: 'a', parallel_group: 1 }],
  policy: checkPolicy({ maxAttempts: 2 }),
};
const advance: RunInput = { kind: 'advance' };
const dispatch: RunInput = { kind: 'dispatch', taskId: 'a', nonce: 'n' };
const failedAt = (attempt: number): RunInput => ({
  kind: 'ended',
  taskId: 'a',
  attempt,
  final: true,
  closure: { kind: 'failed', cause: 'exit', detail: 'code 1' },
});

describe('an input that is out of date yields no fact', () => {
  it('a dispatch of a task that is running: an attempt is charged once', () => {
    const { step, state } = after(start, advance, dispatch);
    expect(step(dispatch)).toEqual([]);
    expect(state.tasks.get('a')?.attempts).toBe(1);
  });

  it('the end of an attempt that is not the running one', () => {
    const { step } = after(start, advance, dispatch, failedAt(1), dispatch);
    expect(step(failedAt(1))).toEqual([]);
    expect(step(failedAt(3))).toEqual([]);
    expect(step(failedAt(2))[0]).toBe('attempt.closed');
  });

  it('the end of an attempt of a task that has none running, or that is not in the plan', () => {
    const { step } = after(start, advance);
    expect(step(failedAt(1))).toEqual([]);
    expect(step({ ...failedAt(1), taskId: 'z' } as RunInput)).toEqual([]);
  });

  it('a dispatch beyond the budget', () => {
    const { step } = after(start, advance, dispatch, failedAt(1), dispatch, failedAt(2));
    expect(step(dispatch)).toEqual([]);
  });

  it('a delivery of what is not owed, a second interrupt, a park of a run that is parked', () => {
    const { step } = after(start);
    expect(step({ kind: 'delivered', key: 'x' })).toEqual([]);
    expect(step({ kind: 'interrupt', reason: 'x' })).toEqual(['run.interrupted']);
    expect(step({ kind: 'interrupt', reason: 'x' })).toEqual([]);
    expect(step({ kind: 'park', taskId: 'a', parking: { cause: 'gate', detail: '' } })).toEqual([]);
  });
});
