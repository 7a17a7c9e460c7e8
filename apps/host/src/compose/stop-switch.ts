import type { Gate } from '@atelier/engine';
import type { AbortMode } from './control.ts';

/** The ways in which a person ends a run before its time. */
export interface StopSwitch {
  /** Aborted when the workers are to be ended. */
  readonly signal: AbortSignal;
  /** Refuses further dispatches once a soft stop was asked for. */
  readonly gate: Gate;
  stop(mode: AbortMode): void;
}

export function stopSwitch(): StopSwitch {
  const hard = new AbortController();
  let soft = false;
  return {
    signal: hard.signal,
    gate: () =>
      soft
        ? { kind: 'park', detail: 'stopped by the operator; workers were let finish' }
        : { kind: 'go' },
    stop(mode) {
      soft = true;
      if (mode === 'hard') hard.abort();
    },
  };
}
