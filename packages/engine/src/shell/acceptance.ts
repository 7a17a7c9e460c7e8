import type { JsonValue, Reply } from '@atelier/envelope';
import type { FailCause } from '../core/closure.ts';
import type { Integration } from '../core/input.ts';
import type { Task } from '../core/task.ts';
import type { WorkOrder } from './transport.ts';

/** What the checks made of a `done`. */
export type Acceptability =
  | { readonly kind: 'accepted'; readonly evidence?: JsonValue }
  | {
      readonly kind: 'refused';
      readonly cause: FailCause;
      /** One line: why. */
      readonly detail: string;
      /** What the next attempt should know beyond that. Foreign text. */
      readonly findings?: string;
    };

/** Checked work of one wave. */
export interface AcceptedWork {
  readonly task: Task;
  readonly attempt: number;
  readonly reply: Reply;
  readonly evidence?: JsonValue;
}

/** What the checks of one attempt may draw on. */
export interface CheckContext {
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** The stages that are behind this attempt, with their evidence: an earlier host may have got that far. */
  readonly passed: ReadonlyMap<string, JsonValue | undefined>;
  /** Has the journal remember that a stage is behind this attempt. */
  readonly pass: (stage: string, evidence?: JsonValue) => void;
  /** Work of the same wave that holds already, the earliest first. */
  readonly siblings: readonly AcceptedWork[];
}

/** What bringing a wave together may draw on. */
export interface IntegrationContext {
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** The steps that need not be taken again: an earlier host may have got that far. */
  readonly passed: ReadonlyMap<string, JsonValue | undefined>;
  /** Has the journal remember such a step. */
  readonly pass: (stage: string, evidence?: JsonValue) => void;
}

/** What must hold before a `done` counts. */
export interface Acceptance {
  /** Guards and checks of one attempt, before any review. A throw or a hang fails the attempt. */
  accept(
    order: WorkOrder,
    reply: Reply,
    context: CheckContext,
  ): Acceptability | Promise<Acceptability>;
  /**
   * Brings the wave's accepted work together, in `(parallel_group, id)` order, once all of its live tasks are
   * accepted or closed. A task without a verdict counts as refused; a throw or a hang parks the run with
   * nothing lost. Without this member accepted work is complete at once.
   */
  integrate?(
    wave: { readonly runId: string; readonly index: number; readonly group: number },
    accepted: readonly AcceptedWork[],
    context: IntegrationContext,
  ): readonly Integration[] | Promise<readonly Integration[]>;
}

/** The acceptance of a run that was given none: a valid `done` is enough. */
export const acceptAll: Acceptance = Object.freeze<Acceptance>({
  accept: () => ({ kind: 'accepted' }),
});
