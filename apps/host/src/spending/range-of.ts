import { type EstimateRange, estimateOf, estimateRange, type RangedTask } from '@atelier/budget';
import { isClosed, type Task, taskKey } from '@atelier/engine';
import { doomed } from '@atelier/engine/plan';
import { kindOf, type ModelChoice, modelOf } from './model-of.ts';

/**
 * What the tasks of a plan that will be dispatched may use: neither those that are closed nor those without an attempt
 * left, nor whatever is lost with one of them.
 */
export function rangeOf(
  tasks: readonly Task[],
  choice: ModelChoice,
  maxAttempts: number,
): EstimateRange {
  const ranged: RangedTask[] = [];
  const lost = doomed(tasks, { maxAttempts });
  for (const task of tasks) {
    if (isClosed(task) || lost.has(taskKey(task.id))) continue;
    const attempts = maxAttempts - (task.attempts ?? 0);
    const model = modelOf(task, choice);
    ranged.push({ estimate: estimateOf(model, kindOf(task, model)), attempts, model });
  }
  return estimateRange(ranged);
}
