import { MODELS, parseTier, type RunMode, recommendTier } from '@atelier/budget';
import type { Task } from '@atelier/engine';

/** What the model of an attempt is chosen from, beside its task. */
export interface ModelChoice {
  readonly agent: string;
  readonly mode: RunMode;
  /** A tier or the name of a model, for every attempt. */
  readonly asked?: string | undefined;
  /** The tier of the environment. */
  readonly tier?: string | undefined;
  /** Goes before everything else. */
  readonly modelFor?: (task: Task) => string | undefined;
}

/** The model that a task is given; undefined for a program that chooses for itself. */
export function modelOf(task: Task, choice: ModelChoice): string | undefined {
  const { agent, mode, asked, tier, modelFor } = choice;
  const chosen = modelFor?.(task);
  if (chosen !== undefined) return chosen;
  const named = parseTier(asked);
  if (agent !== 'claude') return asked;
  if (asked !== undefined) return named ? MODELS[named] : asked;
  const { difficulty, phase, assigned_persona, assigned_to } = task;
  const role = assigned_persona ?? assigned_to;
  return MODELS[recommendTier({ env: tier, difficulty, phase, role, mode })];
}

/** What tells attempts that are likely to use as much from others. */
export const kindOf = (task: Task, model: string | undefined): string =>
  JSON.stringify([model, task.phase ?? null, task.assigned_persona ?? task.assigned_to ?? null]);
