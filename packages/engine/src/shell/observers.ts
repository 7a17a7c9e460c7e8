import type { RunEvent } from '../core/event.ts';
import { messageOf } from './bounded.ts';
import type { RunSetup, RunSignal } from './options.ts';

/** The fan-out to listeners: what they throw is counted, warned of once, and changes nothing. */
export interface Observers {
  readonly event: (event: RunEvent) => void;
  readonly signal: (signal: RunSignal) => void;
  readonly errors: () => number;
}

export function observers({ onEvent, onSignal }: RunSetup): Observers {
  let errors = 0;
  const guarded =
    <T>(listener: (value: T) => unknown) =>
    (value: T) => {
      try {
        const answer = listener(value);
        if (answer instanceof Promise) answer.catch(failed);
      } catch (error) {
        failed(error);
      }
    };
  const failed = (error: unknown) => {
    errors += 1;
    if (errors === 1)
      console.warn(`WARNING a listener of the run threw; the run goes on: ${messageOf(error)}`);
  };
  return { event: guarded(onEvent), signal: guarded(onSignal), errors: () => errors };
}
