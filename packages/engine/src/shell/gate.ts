import type { AttemptTerms, Parking } from '../core/event.ts';
import type { Task } from '../core/task.ts';

/** The answer of a {@link Gate}. */
export type GateAnswer =
  | { readonly kind: 'go'; readonly terms?: AttemptTerms }
  /** Not now; ask again in `ms`. Told as a signal, not journalled. */
  | { readonly kind: 'wait'; readonly ms: number; readonly reason: string }
  /** Not in this run: it takes no further task, lets the others finish and ends resumable. */
  | ({ readonly kind: 'park' } & Omit<Parking, 'cause'> & { readonly cause?: Parking['cause'] });

/**
 * May one more attempt be dispatched? Asked before every charge: account limits, a dry budget, an
 * operator's pause. A gate that throws or hangs parks the run: nothing is spent on doubt.
 */
export type Gate = (next: {
  readonly runId: string;
  readonly task: Task;
  readonly attempt: number;
}) => GateAnswer | Promise<GateAnswer>;

/** The gate of a run that was given none. */
export const openGate: Gate = () => ({ kind: 'go' });
