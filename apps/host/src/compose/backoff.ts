import { CAUSES, type Gate, type RunEvent } from '@atelier/engine';

const FIRST_MS = 15_000;
const LONGEST_MS = 300_000;

/** A gate that learns from what happens. */
export interface LearningGate {
  readonly gate: Gate;
  readonly onEvent: (event: RunEvent) => void;
}

/**
 * Waits after an attempt that the provider was too busy for: 15 s, twice as long for each further one in a row, five
 * minutes at most, or until the provider's own word; less up to a half, so that hosts do not come back together.
 */
export function backoff(
  now: () => number = Date.now,
  random: () => number = Math.random,
): LearningGate {
  let inARow = 0;
  let openAt = 0;
  return {
    gate: () => {
      const ms = openAt - now();
      return ms > 0 ? { kind: 'wait', ms, reason: 'the model API is overloaded' } : { kind: 'go' };
    },
    onEvent(event) {
      if (event.type === 'attempt.accepted' || event.type === 'review.requested') inARow = 0;
      if (event.type !== 'attempt.closed' || event.closure.kind !== 'failed') return;
      const { cause, resumeAt } = event.closure;
      if (!CAUSES[cause].backsOff) return;
      const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** inARow);
      inARow += 1;
      openAt = Math.max(now() + full * (1 - random() / 2), resumeAt ?? 0);
    },
  };
}
