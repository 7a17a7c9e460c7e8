import type { Plan, PlanWorktree } from '@atelier/engine/plan';

/** What a plan asks of a run beside its tasks. Recorded with the run, so that a resumption needs no file. */
export interface PlanSettings {
  /** The command that has to pass on the merged work of each wave. */
  readonly waveGate?: string;
  readonly worktree?: PlanWorktree;
}

export const settingsOf = ({ gate, worktree }: Plan): PlanSettings => ({
  ...(gate === undefined ? {} : { waveGate: gate }),
  ...(worktree === undefined ? {} : { worktree }),
});

/** The journal is the host's own: what is read here was written here. */
export const recordedSettings = (text: string | undefined): PlanSettings =>
  text === undefined ? {} : (JSON.parse(text) as PlanSettings);
