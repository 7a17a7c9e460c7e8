import type { LoomError, LoomResult } from './loom-result.ts';

/** Turns the chat off for the rest of a run. It never closes again: a chat that comes and goes is not worth the time. */
export interface Breaker {
  open(): boolean;
  /** Takes note of how a call ended. */
  note(answer: LoomResult<unknown>): void;
}

/** Refusals that another try can not change: of an address, a header, a size. */
const HOPELESS: readonly string[] = ['403', '404', '405', '406', '413', '415'];

export function breaker(options: {
  /** In a row. */
  readonly failures: number;
  readonly onTrip: (error: LoomError) => void;
}): Breaker {
  let inARow = 0;
  let open = false;
  return {
    open: () => open,
    note(answer) {
      const weight = answer.ok ? 'fine' : weigh(answer.error);
      if (weight === 'neutral') return;
      if (weight === 'fine' || answer.ok) {
        inARow = 0;
        return;
      }
      inARow++;
      if (open || (weight !== 'hopeless' && inARow < options.failures)) return;
      open = true;
      options.onTrip(answer.error);
    },
  };
}

function weigh({ kind, code }: LoomError): 'fine' | 'neutral' | 'failure' | 'hopeless' {
  if (kind === 'http') {
    if (HOPELESS.includes(code)) return 'hopeless';
    return code === '503' ? 'neutral' : 'failure';
  }
  if (kind === 'timeout' || kind === 'closed') return 'failure';
  // The server is there and said no; only where it says that it is broken itself is that a failure.
  return code === 'INTERNAL_ERROR' || code === 'MALFORMED' ? 'failure' : 'fine';
}
