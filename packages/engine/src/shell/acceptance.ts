import type { JsonValue, Reply } from '@atelier/envelope';
import type { FailCause } from '../core/closure.ts';
import type { Integration } from '../core/decide.ts';
import type { Task } from '../core/task.ts';
import type { WorkOrder } from './transport.ts';

/** What the checks made of a `done`. */
export type Acceptability =
  | { readonly kind: 'accepted'; readonly evidence?: JsonValue }
  | { readonly kind: 'refused'; readonly cause: FailCause; readonly detail: string };

/** Accepted work of one wave, in `(parallel_group, id)` order. */
export interface AcceptedWork {
  readonly task: Task;
  readonly attempt: number;
  readonly reply: Reply;
  readonly evidence?: JsonValue;
}

/** What must hold before a `done` counts. */
export interface Acceptance {
  /** Guard, checks and review of one attempt. A throw or a hang fails the attempt. */
  accept(
    order: WorkOrder,
    reply: Reply,
    signal: AbortSignal,
  ): Acceptability | Promise<Acceptability>;
  /**
   * Brings the wave's accepted work together, once all of its live tasks are accepted or closed. A task
   * without a verdict counts as refused; a throw or a hang parks the run with nothing lost. Without
   * this member accepted work is complete at once.
   */
  integrate?(
    wave: { readonly runId: string; readonly index: number; readonly group: number },
    accepted: readonly AcceptedWork[],
    signal: AbortSignal,
  ): readonly Integration[] | Promise<readonly Integration[]>;
}

/** The acceptance of a run that was given none: a valid `done` is enough. */
export const acceptAll: Acceptance = Object.freeze<Acceptance>({
  accept: () => ({ kind: 'accepted' }),
});
