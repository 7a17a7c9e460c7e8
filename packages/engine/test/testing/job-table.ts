import type { Clock } from '../../src/index.ts';
import type { WorkOrder } from '../../src/shell/transport.ts';
import { partOf, replyOf } from '../../src/testing/part.ts';

/** What a job has come to. */
type JobState =
  | { readonly kind: 'running' }
  | { readonly kind: 'replied'; readonly reply: unknown; readonly ended: boolean }
  | { readonly kind: 'failed'; readonly detail: string };

/** A backend that is a table: jobs outlive whoever started them, and anybody may read. */
export interface JobTable {
  /** Throws for a job that can not be had. */
  add(order: WorkOrder): void;
  read(order: JobName): JobState | undefined;
  cancel(order: JobName): void;
  nonceOf(order: JobName): string | undefined;
  startedAt(order: JobName): number | undefined;
  /** How many jobs of it have not ended. */
  alive(order: JobName): number;
}

/** An attempt, as a table would have it as a key. */
type JobName = Pick<WorkOrder, 'task' | 'attempt'>;

interface Job {
  readonly order: WorkOrder;
  readonly at: number;
  cancelled: boolean;
}

const LATER_MS = 950;

export function jobTable(clock: Clock): JobTable {
  const jobs = new Map<string, Job>();
  const keyOf = ({ task, attempt }: JobName) => JSON.stringify([String(task.id), attempt]);
  const read = (name: JobName): JobState | undefined => {
    const job = jobs.get(keyOf(name));
    const state = job && stateOf(job);
    return job?.cancelled && state?.kind === 'running'
      ? { kind: 'failed', detail: 'cancelled' }
      : state;
  };
  const stateOf = (job: Job): JobState => {
    const part = partOf(job.order.briefing);
    const reply = replyOf(part);
    switch (part.behaviour) {
      case 'reply':
      case 'garbage':
        return { kind: 'replied', reply, ended: true };
      case 'echo-nonce':
        return {
          kind: 'replied',
          reply: { ...Object(reply), nonce: job.order.nonce },
          ended: true,
        };
      case 'reply-later':
        if (clock.now() - job.at >= LATER_MS) return { kind: 'replied', reply, ended: true };
        return { kind: 'running' };
      case 'reply-then-hang':
        return { kind: 'replied', reply, ended: job.cancelled };
      case 'crash':
      case 'exit-without-reply':
        return { kind: 'failed', detail: `the job ended with ${part.behaviour}` };
      default:
        return { kind: 'running' };
    }
  };
  return {
    read,
    add(order) {
      if (partOf(order.briefing).behaviour === 'refuse') throw new Error('the queue is full');
      if (jobs.has(keyOf(order))) throw new Error('this attempt was started before');
      jobs.set(keyOf(order), { order, at: clock.now(), cancelled: false });
    },
    cancel(name) {
      const job = jobs.get(keyOf(name));
      const state = read(name);
      const lives = state?.kind === 'running' || (state?.kind === 'replied' && !state.ended);
      if (job && lives) job.cancelled = true;
    },
    nonceOf: (name) => jobs.get(keyOf(name))?.order.nonce,
    startedAt: (name) => jobs.get(keyOf(name))?.at,
    alive(name) {
      const state = read(name);
      if (state?.kind === 'replied') return state.ended ? 0 : 1;
      return state?.kind === 'running' ? 1 : 0;
    },
  };
}
