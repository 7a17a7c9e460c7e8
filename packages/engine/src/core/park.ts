import { escalationOf, survivingState } from './abandon.ts';
import type { Parking, RunFact } from './event.ts';
import type { RunState, TaskState } from './state.ts';

/**
 * The run takes no further task; the first reason is the one that is told. One escalation stands for all the tasks
 * that wait, except where an operator said so and knows.
 */
export function park(state: RunState, task: TaskState, parking: Parking): RunFact[] {
  if (state.paused) return [];
  const parked: RunFact = { type: 'run.parked', ...parking };
  if (parking.cause === 'gate') return [parked];
  const { cause: category, detail: lastStatus } = parking;
  const survivors = survivingState(state);
  const escalation = {
    ...escalationOf(task, { category, lastStatus, attempt: task.attempts, upstreamId: null }),
    scope: 'run' as const,
    ...(survivors ? { surviving_state: survivors } : {}),
  };
  // Unique: between two parkings lies at least the resumption.
  return [
    parked,
    { type: 'escalation.raised', key: `${state.runId}/parked/${state.seq}`, escalation },
  ];
}
