import { closureStatus, type RunState, type Task, type TaskState, taskKey } from '@atelier/engine';
import type { Standing } from './forecast.ts';

interface StandingOptions {
  /** As the plan has them now. */
  readonly tasks: readonly Task[];
  readonly maxAttempts: number;
}

/**
 * What a run has begun, by canonical id, and what becomes of it when the run goes on. A task that it has not begun has
 * no entry. Whether a worker still lives is not looked at.
 */
export function standingOf(
  state: RunState,
  { tasks, maxAttempts }: StandingOptions,
): ReadonlyMap<string, Standing> {
  const found = new Map<string, Standing>();
  for (const task of tasks) {
    const key = taskKey(task.id);
    const known = state.tasks.get(key);
    const standing =
      known &&
      (inFlight(known, task) ??
        ended(known) ??
        waiting(known, { maxAttempts, lost: state.lostUpstream.get(key) }));
    if (standing) found.set(key, { ...standing, phase: known.phase });
  }
  return found;
}

type Fate = Omit<Standing, 'phase'>;

function ended({
  phase,
  attempts,
  abandonment,
  replayedFrom,
  reply,
  evidence,
}: TaskState): Fate | undefined {
  if (phase === 'complete')
    return {
      fate: 'kept',
      why: replayedFrom
        ? `it is what run ${replayedFrom.runId} has merged`
        : `merged, by attempt ${attempts}`,
      ...{ reply, evidence },
    };
  if (phase === 'abandoned')
    return { fate: 'kept', why: `it stays abandoned: ${abandonment?.category ?? 'unknown'}` };
  if (phase === 'held') return { fate: 'kept', why: 'it stays held' };
  return undefined;
}

function inFlight({ phase, attempts, replied, task }: TaskState, now: Task): Fate | undefined {
  if (phase === 'accepted') return { fate: 'continues', why: 'accepted; merged with its wave' };
  if (phase !== 'running' && phase !== 'reviewing') return undefined;
  const attempt = `attempt ${attempts}`;
  if (!readsTheSame(task, now))
    return { fate: 'rerun', why: `its text has changed: ${attempt} is ended and counts` };
  if (phase === 'reviewing')
    return { fate: 'continues', why: `${attempt} is checked; its reviews go on` };
  return replied
    ? { fate: 'continues', why: `${attempt} has delivered; its checks go on` }
    : {
        fate: 'continues',
        why: `${attempt} goes on where its worker still lives; where it is lost it counts, and another is made`,
      };
}

function waiting(
  { phase, attempts, closure }: TaskState,
  { maxAttempts, lost }: { readonly maxAttempts: number; readonly lost: string | undefined },
): Fate | undefined {
  if (phase !== 'pending') return undefined;
  if (lost !== undefined)
    return { fate: 'abandon', why: `it builds on task ${lost}, which is abandoned` };
  if (attempts >= maxAttempts)
    return { fate: 'abandon', why: `its ${maxAttempts} attempts are spent` };
  if (attempts === 0) return undefined;
  const last = closure ? `: the last ended ${closureStatus(closure)}` : '';
  return { fate: 'rerun', why: `attempt ${attempts + 1} of ${maxAttempts}${last}` };
}

/** The moment of loading is no part of what a task says. */
const readsTheSame = (
  { created_at: _, ...before }: Task,
  { created_at: __, ...now }: Task,
): boolean => JSON.stringify(before) === JSON.stringify(now);
