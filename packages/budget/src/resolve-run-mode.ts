import { parseRunMode, parseSavedRunMode } from './parse-run-mode.ts';
import type { RunMode } from './run-modes.ts';

/** Where a run mode may come from, the strongest first. What names no mode is passed over. */
export interface RunModeSources {
  /** Given with the call or the command. */
  readonly explicit?: string | null | undefined;
  /** Chosen by a person who was asked. */
  readonly interactiveChoice?: string | null | undefined;
  /** The value of `ATELIER_RUN_MODE`. */
  readonly env?: string | null | undefined;
  /** The default that the user has saved: a mode, or the profile that stands for one (`cost-effective`, `code-quality`). */
  readonly saved?: string | null | undefined;
}

/** Why a run has its mode, in words for the first line of the run. */
export type RunModeReason =
  | 'asked for'
  | 'chosen at the start'
  | 'from the environment'
  | 'saved default'
  | 'default';

/** A run mode, and why it is this one. */
export interface ResolvedRunMode {
  readonly mode: RunMode;
  readonly reason: RunModeReason;
}

/**
 * Always answers and never asks: the first source that names a mode, else `cost-lean`. A caller that wants a
 * misspelt mode refused tells by `parseRunMode`.
 */
export function resolveRunMode({
  explicit,
  interactiveChoice,
  env,
  saved,
}: RunModeSources = {}): ResolvedRunMode {
  const rungs: readonly (readonly [RunMode | undefined, RunModeReason])[] = [
    [parseRunMode(explicit), 'asked for'],
    [parseRunMode(interactiveChoice), 'chosen at the start'],
    [parseRunMode(env), 'from the environment'],
    [parseSavedRunMode(saved), 'saved default'],
  ];
  for (const [mode, reason] of rungs) {
    if (mode !== undefined) return { mode, reason };
  }
  return { mode: 'cost-lean', reason: 'default' };
}
