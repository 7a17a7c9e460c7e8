import {
  CAUSES,
  type Closure,
  closureStatus,
  type Parking,
  type Policy,
  type RunEvent,
  type RunOptions,
  run,
  type Task,
} from '@atelier/engine';

/** A run of one task that is dispatched once: charged, watched and recorded like any other. */
export interface OneAttempt {
  readonly runId: string;
  readonly task: Task;
  readonly policy?: Pick<Partial<Policy>, 'wallClockMs'>;
  /** What is wrong with the notes of a reply, in words; undefined where nothing is. It may be asked more than once. */
  readonly judge: (text: string) => string | undefined;
  /** What the run is put together from. */
  readonly seams: Omit<RunOptions, 'runId' | 'policy' | 'acceptance'>;
}

export interface AttemptEnd {
  /** The notes of its reply, whether or not they were refused. Absent where there was no reply to judge. */
  readonly text?: string;
  /** Why it did not end well, in words; absent where it did. Foreign text. */
  readonly fault?: string;
  /** Why nothing further is to be asked for now. */
  readonly parking?: Parking;
}

/** Makes the attempt. Throws what keeps it from being recorded. */
export async function oneAttempt(given: OneAttempt): Promise<AttemptEnd> {
  const { runId, task, policy, judge, seams } = given;
  let text: string | undefined;
  let closure: Closure | undefined;
  const report = await run([task], {
    ...seams,
    runId,
    policy: { ...policy, maxAttempts: 1, maxWorkers: 1 },
    onEvent: (event: RunEvent) => {
      if (event.type === 'attempt.closed') closure = event.closure;
      seams.onEvent?.(event);
    },
    acceptance: {
      accept(_order, { notes_md: notes }) {
        text = typeof notes === 'string' ? notes : '';
        const detail = judge(text);
        return detail === undefined
          ? { kind: 'accepted' }
          : { kind: 'refused', cause: 'verify', detail };
      },
    },
  });
  const fault =
    report.verdict === 'complete' ? undefined : (report.parking?.detail ?? whyOf(closure));
  const parking = report.parking ?? parkingOf(closure);
  return {
    ...(text === undefined ? {} : { text }),
    ...(fault === undefined ? {} : { fault }),
    ...(parking ? { parking } : {}),
  };
}

/** A run is not parked where nothing of it is left, but whoever asks next would meet the same. */
function parkingOf(closure: Closure | undefined): Parking | undefined {
  if (closure?.kind !== 'failed') return undefined;
  const { parks: cause } = CAUSES[closure.cause];
  if (!cause) return undefined;
  const { detail, resumeAt } = closure;
  return { cause, detail, ...(resumeAt === undefined ? {} : { resumeAt }) };
}

function whyOf(closure: Closure | undefined): string {
  if (!closure) return 'the attempt was not made';
  if (closure.kind === 'held' && typeof closure.reply.notes_md === 'string')
    return `${closure.status}: ${closure.reply.notes_md}`;
  if (closure.kind === 'abandoned') return `abandoned: ${closure.reason}`;
  return closureStatus(closure);
}
