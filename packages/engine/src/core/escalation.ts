import { printable } from '@atelier/envelope';
import type { TaskId } from './task.ts';

/** What of a wave outlives an abandonment. Ids as text, sorted. */
export interface SurvivingState {
  readonly wave_id: string;
  readonly terminal_tasks: readonly string[];
  /** The abandoning task is still among them. */
  readonly outstanding_tasks: readonly string[];
  /** Paths and content hashes that the wave's accepted replies name. */
  readonly artifacts: readonly string[];
  /** Present when a list was cut at {@link SURVIVORS_LISTED}: how many entries are not listed. */
  readonly omitted?: number;
}

/** The longest list in a {@link SurvivingState}: a wave of n abandonments must not cost n² ids. */
export const SURVIVORS_LISTED = 100;

/** The record a person gets for a task that did not end `done`. Wire format: the keys are documented and fixed. */
export interface Escalation {
  readonly kind: 'escalation';
  readonly task_id: TaskId;
  readonly worker: string | null;
  readonly attempt: number;
  readonly category: string;
  readonly last_status: string;
  readonly upstream_task_id: TaskId | null;
  readonly surviving_state?: SurvivingState;
  /** The run stopped taking tasks, at this one: none has ended by it, and it can be resumed. */
  readonly scope?: 'run';
}

/** Where escalations go once they are durable. It may be called twice for one key; what it throws changes nothing. */
export type EscalationSink = (escalation: Escalation, key: string) => unknown;

/** An escalation as one log line, safe for a terminal. */
export function escalationLine(escalation: Escalation): string {
  const part = (name: string, value: unknown) => `${name}=${printable(String(value ?? '-'))}`;
  return [
    'WARNING escalation',
    ...(escalation.scope === undefined ? [] : [part('scope', escalation.scope)]),
    part('task', escalation.task_id),
    part('worker', escalation.worker),
    part('attempt', escalation.attempt),
    part('category', escalation.category),
    part('last_status', escalation.last_status),
    part('upstream', escalation.upstream_task_id),
  ].join(' ');
}

/** The sink of a run that was given none: never silent. */
export const warningSink: EscalationSink = (escalation) => {
  console.warn(escalationLine(escalation));
};
