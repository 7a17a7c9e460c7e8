import { type EstimateRange, estimateOf, estimateRange, type RangedTask } from '@atelier/budget';
import { isClosed, type Task } from '@atelier/engine';
import { kindOf, type ModelChoice, modelOf } from './model-of.ts';

/** What the tasks of a plan that will be dispatched may use: neither those that are closed nor those without an attempt left. */
export function rangeOf(
  tasks: readonly Task[],
  choice: ModelChoice,
  maxAttempts: number,
): EstimateRange {
  const ranged: RangedTask[] = [];
  for (const task of tasks) {
    const attempts = maxAttempts - (task.attempts ?? 0);
    if (isClosed(task) || attempts < 1) continue;
    const model = modelOf(task, choice);
    ranged.push({ estimate: estimateOf(model, kindOf(task, model)), attempts, model });
  }
  return estimateRange(ranged);
}
