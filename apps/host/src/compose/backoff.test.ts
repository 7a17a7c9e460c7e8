import type { FailCause, RunEvent } from '@atelier/engine';
import { describe, expect, it } from 'vitest';
import { backoff } from './backoff.ts';

const place = { runId: 'r', seq: 1, at: '', taskId: 'a', attempt: 1 } as const;
const failed = (cause: FailCause, resumeAt?: number): RunEvent => ({
  ...{ ...place, type: 'attempt.closed' },
  closure: { kind: 'failed', cause, detail: '', ...(resumeAt === undefined ? {} : { resumeAt }) },
});
const accepted: RunEvent = {
  ...{ ...place, type: 'attempt.accepted' },
  reply: {
    ...{ type: 'task_result', task_id: 'a', attempt: 1, status: 'done' },
    ...{ artifacts: ['a'], notes_md: '' },
  },
};

const next = { runId: 'r', task: { id: 'a' }, attempt: 1 };

describe('backoff', () => {
  const scene = () => {
    const time = { ms: 1_000 };
    const { gate, onEvent } = backoff(
      () => time.ms,
      () => 0,
    );
    return { time, onEvent, wait: () => Object(gate(next)).ms ?? 0 };
  };

  it('decision 15 (c): a re-queue after an overload waits, longer each time, five minutes at most', () => {
    const { onEvent, wait } = scene();
    const waits = Array.from({ length: 7 }, () => {
      onEvent(failed('overloaded'));
      return wait();
    });
    expect(waits).toEqual([15_000, 30_000, 60_000, 120_000, 240_000, 300_000, 300_000]);
  });

  it('ends by itself, and counts anew once something was delivered', () => {
    const { time, onEvent, wait } = scene();
    onEvent(failed('overloaded'));
    onEvent(failed('overloaded'));
    time.ms += 30_000;
    expect(wait()).toBe(0);
    onEvent(accepted);
    onEvent(failed('overloaded'));
    expect(wait()).toBe(15_000);
  });

  it("takes the provider's own word", () => {
    const { onEvent, wait } = scene();
    onEvent(failed('overloaded', 100_000));
    expect(wait()).toBe(99_000);
  });

  it('does not wait for failures of another kind', () => {
    const { onEvent, wait } = scene();
    for (const cause of ['exit', 'timeout', 'account', 'no-reply'] as const) onEvent(failed(cause));
    expect(wait()).toBe(0);
  });
});
