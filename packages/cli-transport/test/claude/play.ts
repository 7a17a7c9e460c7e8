import { readdirSync, readFileSync } from 'node:fs';
import {
  type Clock,
  type FailedClosure,
  type RunEvent,
  type RunReport,
  run,
  systemClock,
  type Task,
  type Transport,
  type Usage,
} from '@atelier/engine';

/** What became of a plan whose workers are the real program. */
export interface Played {
  readonly report: RunReport;
  /** Attempts charged, by task. */
  readonly charged: Readonly<Record<string, number>>;
  /** How the first attempt failed, if it did. */
  readonly failure: FailedClosure | undefined;
  readonly usage: Usage | undefined;
  /** Processes of its attempts that live. */
  readonly left: readonly number[];
}

interface Play {
  readonly transport: Transport;
  /** The wall clock of its workers runs out then, and not by itself: how fast the machine is changes nothing. */
  readonly timeUp?: Promise<void>;
}

/** Runs a plan, one attempt for each task. The briefing is the task's description and the identity to reply with. */
export async function play(
  tasks: readonly Task[],
  { transport, timeUp = new Promise(() => {}) }: Play,
): Promise<Played> {
  const events: RunEvent[] = [];
  const report = await run(tasks, {
    transport,
    policy: { maxAttempts: 1 },
    clock: endedBy(timeUp),
    briefing: ({ task, attempt }) =>
      `${task.description}\ntask_id: ${task.id}\nattempt: ${attempt}\n`,
    onEvent: (event) => events.push(event),
    // Else they are printed.
    sink: () => undefined,
  });
  const nonces = events.flatMap((event) => (event.type === 'attempt.started' ? event.nonce : []));
  const ended = events.find(
    (event) => event.type === 'attempt.closed' || event.type === 'attempt.accepted',
  );
  const closure = ended?.type === 'attempt.closed' ? ended.closure : undefined;
  return {
    report,
    charged: Object.fromEntries(report.outcomes.map((one) => [one.taskId, one.attempts])),
    failure: closure?.kind === 'failed' ? closure : undefined,
    usage: ended && 'usage' in ended ? ended.usage : undefined,
    left: livingWith(nonces),
  };
}

/** Longer than any pause but the wall clock of a worker. */
const LONG_MS = 600_000;

const endedBy = (timeUp: Promise<void>): Clock => ({
  ...systemClock,
  sleep: (ms, signal) =>
    ms < LONG_MS
      ? systemClock.sleep(ms, signal)
      : Promise.race([systemClock.sleep(ms, signal), timeUp]),
});

/** Whatever has one of the texts in its arguments or its environment: walls, supervisors, and what forked away from them. */
const livingWith = (texts: readonly string[]): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      const about = ['cmdline', 'environ'].map((part) => readOr(`/proc/${pid}/${part}`)).join();
      return texts.some((text) => about.includes(text));
    })
    .map(Number);

function readOr(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
