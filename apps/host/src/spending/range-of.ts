import { type EstimateRange, estimateOf, estimateRange } from '@atelier/budget';
import { isClosed, type Task } from '@atelier/engine';
import { kindOf, type ModelChoice, modelOf } from './model-of.ts';

/** What the tasks of a plan that are not closed may use. */
export const rangeOf = (
  tasks: readonly Task[],
  choice: ModelChoice,
  maxAttempts: number,
): EstimateRange =>
  estimateRange(
    tasks
      .filter((task) => !isClosed(task))
      .map((task) => {
        const model = modelOf(task, choice);
        const left = Math.max(1, maxAttempts - (task.attempts ?? 0));
        return { estimate: estimateOf(model, kindOf(task, model)), attempts: left };
      }),
  );
