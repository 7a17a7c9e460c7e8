import type { Task } from '../core/task.ts';

/** What a run may spend. Absent members are not limited by the plan. */
export interface PlanBudget {
  /** An integer of at least 1: output tokens of all attempts together. */
  readonly tokens?: number;
  /** US dollars, above 0. */
  readonly usd?: number;
  readonly [extra: `x-${string}`]: unknown;
}

/** What a fresh worktree needs that git does not give it. */
export interface PlanWorktree {
  /** Paths and patterns of ignored files of the clone that are copied. */
  readonly copy?: readonly string[];
  /** Ignored files and folders of the clone that are hard-linked; no worker may change them. */
  readonly link?: readonly string[];
  /** Commands that are run inside the sandbox, one after the other, before the worker starts. */
  readonly setup?: readonly string[];
  readonly [extra: `x-${string}`]: unknown;
}

/**
 * A checked plan. Its tasks carry `created_at`, `assigned_persona` for whichever key named the worker, and their paths
 * in plain spelling: `./a//b` as `a/b`, letters composed (NFC).
 */
export interface Plan {
  /** Where editors find the JSON Schema of the format. */
  readonly $schema?: string;
  readonly goal: string;
  /** The command that must succeed on the merged work of each wave. */
  readonly gate?: string;
  readonly worktree?: PlanWorktree;
  /** `parallel`, the default, waits for each wave as a whole; `pipeline` only for proven dependencies. */
  readonly schedule?: 'parallel' | 'pipeline';
  readonly budget?: PlanBudget;
  readonly tasks: readonly Task[];
  readonly [extra: `x-${string}`]: unknown;
}
