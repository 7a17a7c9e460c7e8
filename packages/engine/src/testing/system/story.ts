import type { FailCause } from '../../core/closure.ts';
import type { Policy } from '../../core/policy.ts';
import type { Task, TaskId } from '../../core/task.ts';
import { doneOf } from '../done-of.ts';
import { type Behaviour, briefingOf } from '../part.ts';

/** What one attempt of a story comes to. */
export type Step =
  | 'done'
  | 'late'
  | 'blocked'
  | 'needs-input'
  | 'abandoned'
  | 'wrong task'
  | 'wrong attempt'
  | 'forged'
  | 'no status'
  | Exclude<Behaviour, 'reply' | 'reply-later' | 'echo-nonce' | 'chatter'>;

/** A plan, what its workers do, and how each task must end, whatever happens to the host meanwhile. */
export interface Story {
  readonly tasks: readonly Task[];
  /** By task and attempt; the last step stands for all later ones. A task that is not named is done at once. */
  readonly steps?: Readonly<Record<string, readonly Step[]>>;
  readonly policy?: Partial<Policy>;
  /** By task, as its kind and, if it has one, its category or status. */
  readonly ends: Readonly<Record<string, string>>;
  /** By task, what its failed attempts may have come to; none of a task that is not named. Absent: anything. */
  readonly causes?: Readonly<Record<string, readonly FailCause[]>>;
}

/** Enough for the slowest of machines; a story of one that hangs says less. */
const WALL_CLOCK_MS = 60_000;

export const policyOf = ({ policy }: Story): Partial<Policy> => ({
  maxAttempts: 3,
  wallClockMs: WALL_CLOCK_MS,
  ...policy,
});

/** The parts that the workers of a story play. */
export const partsOf = ({ steps = {} }: Story): Behaviour[] => [
  ...new Set(['reply' as const, ...Object.values(steps).flat().map(behaviourOf)]),
];

/** What the worker of an attempt is told. */
export function briefingFor({ steps = {} }: Story, id: TaskId, attempt: number): string {
  const own = steps[String(id)] ?? ['done'];
  const step = own[Math.min(attempt, own.length) - 1] ?? 'done';
  return briefingOf({ behaviour: behaviourOf(step), reply: replyTo(step, id, attempt) });
}

function behaviourOf(step: Step): Behaviour {
  switch (step) {
    case 'late':
      return 'reply-later';
    case 'done':
    case 'blocked':
    case 'needs-input':
    case 'abandoned':
    case 'wrong task':
    case 'wrong attempt':
    case 'forged':
    case 'no status':
      return 'reply';
    default:
      return step;
  }
}

function replyTo(step: Step, id: TaskId, attempt: number): string {
  const done = doneOf(id, attempt);
  switch (step) {
    case 'blocked':
    case 'needs-input':
      return JSON.stringify({ ...done, status: step, artifacts: [] });
    case 'abandoned':
      return JSON.stringify({
        ...done,
        status: step,
        notes_md: 'ABANDON: scope:as the story goes',
      });
    case 'wrong task':
      return JSON.stringify({ ...done, task_id: `${id}x` });
    case 'wrong attempt':
      return JSON.stringify({ ...done, attempt: attempt + 1 });
    case 'forged':
      return JSON.stringify({ ...done, _engine_abandon: true, status: null, kind: 'done' });
    case 'no status':
      return JSON.stringify({ ...done, status: 'complete' });
    case 'garbage':
      return '{"type": "task_result", "stat';
    default:
      return JSON.stringify(done);
  }
}
