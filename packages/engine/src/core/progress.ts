import type { RunFact } from './event.ts';
import type { RunInput } from './input.ts';
import { type RunState, underReview } from './state.ts';
import { taskKey } from './task.ts';

type Progress = Extract<RunInput, { kind: 'spawned' | 'replied' | 'checked' }>;

/** How far an attempt has got. Each step counts for the attempt that runs, once. */
export function progress(state: RunState, input: Progress): RunFact[] {
  const task = state.tasks.get(taskKey(input.taskId));
  if (task?.phase !== 'running' || task.attempts !== input.attempt) return [];
  const { id: taskId } = task.task;
  switch (input.kind) {
    case 'spawned': {
      const { kind: _, ...step } = input;
      return [{ type: 'attempt.spawned', ...step, taskId }];
    }
    case 'replied': {
      const { kind: _, ...step } = input;
      // A review is a verdict: there is nothing to check in it.
      if (task.replied || underReview(state, task)) return [];
      return [{ type: 'attempt.replied', ...step, taskId }];
    }
    case 'checked': {
      const { kind: _, ...step } = input;
      if (task.checks?.has(step.stage)) return [];
      return [{ type: 'attempt.checked', ...step, taskId }];
    }
  }
}

/** A step of the integration that is under way, once. */
export function integrationChecked(
  { wave }: RunState,
  { kind: _, ...step }: Extract<RunInput, { kind: 'integration-checked' }>,
): RunFact[] {
  if (!wave?.integrating || wave.index !== step.wave || wave.checks.has(step.stage)) return [];
  return [{ type: 'integration.checked', ...step }];
}
