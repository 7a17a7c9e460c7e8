import { parseTier, type RunMode, recommendTier } from '@atelier/budget';
import type { Task } from '@atelier/engine';
import { printable } from '@atelier/envelope';
import { UsageError } from '../command.ts';
import { knownAgent } from '../compose/agents.ts';

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

/** The model that a task is given; undefined for a program that chooses for itself. Throws a {@link UsageError} for a tier that the agent does not have. */
export function modelOf(task: Task, choice: ModelChoice): string | undefined {
  const { agent, mode, asked, tier, modelFor } = choice;
  const chosen = modelFor?.(task);
  if (chosen !== undefined) return chosen;
  const named = parseTier(asked);
  const known = knownAgent(agent);
  if (known && !known.models && named) throw noTiers(agent, named);
  const models = known?.models;
  if (!models) return asked;
  if (asked !== undefined) return named ? models[named] : asked;
  const { difficulty, phase, assigned_persona, assigned_to } = task;
  const role = assigned_persona ?? assigned_to;
  return models[recommendTier({ env: tier, difficulty, phase, role, mode })];
}

const noTiers = (agent: string, tier: string): UsageError =>
  new UsageError(
    `--model ${tier} is a tier of claude, and ${printable(agent, 60)} has none`,
    'Name a model of its own, or leave --model out.',
  );

/** What tells attempts that are likely to use as much from others. */
export const kindOf = (task: Task, model: string | undefined): string =>
  JSON.stringify([model, task.phase ?? null, task.assigned_persona ?? task.assigned_to ?? null]);
