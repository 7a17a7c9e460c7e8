import type { RunEvent } from '@atelier/engine';
import { printable } from '@atelier/envelope';
import { count } from './count.ts';
import { type Plan, planSize } from './plan.ts';
import { duration } from './when.ts';

/** What no event tells of a run, and its first line shows. */
export interface RunSetting {
  /** The run mode, and why it is this one. */
  readonly runMode?: { readonly mode: string; readonly reason: string };
  readonly sandbox?: SandboxState;
  /** The events of a resumed run that are already in its journal: they are counted, not told again. */
  readonly history?: readonly RunEvent[];
}

/** What stands between the agents and the machine. */
export type SandboxState =
  | { readonly kind: 'confined'; readonly by: string }
  | { readonly kind: 'unsandboxed' }
  /** No process is started: a scripted run. */
  | { readonly kind: 'no-process' };

/** The word that makes a run without walls loud. */
export const UNSANDBOXED = 'UNSANDBOXED: agents can read, change and send whatever this user can';

/** The first line of a run, or of its resumption. */
export function opening(
  event: Extract<RunEvent, { readonly type: 'run.started' | 'run.resumed' }>,
  plan: Plan,
  { runMode, sandbox }: RunSetting,
): string {
  const { maxWorkers, maxAttempts, wallClockMs } = event.policy;
  return [
    `${printable(event.runId)} ${event.type === 'run.started' ? 'started' : 'resumed'}`,
    ...(plan.known ? [planSize(plan)] : []),
    ...(runMode ? [`run mode ${printable(runMode.mode)} (${printable(runMode.reason)})`] : []),
    count(maxWorkers, 'worker', 'workers'),
    `at most ${count(maxAttempts, 'attempt', 'attempts')} of ${duration(wallClockMs)} per task`,
    ...(sandbox ? [sandboxText(sandbox)] : []),
  ].join(', ');
}

function sandboxText(sandbox: SandboxState): string {
  switch (sandbox.kind) {
    case 'confined':
      return `sandboxed by ${printable(sandbox.by)}`;
    case 'unsandboxed':
      return UNSANDBOXED;
    case 'no-process':
      return 'no process to sandbox';
  }
}
