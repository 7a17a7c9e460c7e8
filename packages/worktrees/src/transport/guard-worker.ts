import type { AttemptHandle, AttemptReport } from '@atelier/engine';
import { codeOf } from '../error.ts';
import type { Ending } from './ending.ts';

/** A worker whose end is told after its work was saved. */
export interface GuardedWorker {
  readonly handle: AttemptHandle;
  /** It could not be ended, and may still work in its folder. */
  readonly isAtLarge: () => boolean;
}

/**
 * The worktree of a worker that replied stays: its reply may count, and is checked in there. So it does where a
 * look before a stop showed a reply, and under a worker that could not be ended. With any other end it goes.
 */
export function guardWorker(inner: AttemptHandle, ending: Ending, stopMs: number): GuardedWorker {
  const { activity, subscribe, worker, wallClockLeftMs } = inner;
  let hasReplied = false;
  let atLarge = false;
  const end = () => (hasReplied ? ending.save() : ending.close());
  const handle: AttemptHandle = {
    report: inner.report.then(async (report) => {
      atLarge = isUnstoppable(report);
      hasReplied ||= report.kind === 'replied';
      return withTrouble(report, await (atLarge ? ending.saveSoFar() : end()));
    }),
    async peek() {
      const seen = await inner.peek();
      hasReplied ||= seen !== undefined && seen !== null;
      return seen;
    },
    async stop(reason) {
      const asked = performance.now();
      const left = () => Math.max(0, stopMs - (performance.now() - asked));
      try {
        await inner.stop(reason);
      } catch (error) {
        // The worker may live on, so its folder stays; what is there so far is saved.
        atLarge = true;
        await ending.wait(ending.saveSoFar(), left());
        throw error;
      }
      await ending.wait(end(), left());
    },
    ...(worker === undefined ? {} : { worker }),
    ...(wallClockLeftMs === undefined ? {} : { wallClockLeftMs }),
    ...(activity && { activity: () => activity.call(inner) }),
    ...(subscribe && {
      subscribe: (listener: (signal: unknown) => void) => subscribe.call(inner, listener),
    }),
  };
  return { handle, isAtLarge: () => atLarge };
}

/** True for the report of a worker that may live on. */
export const isUnstoppable = (report: AttemptReport): boolean =>
  report.kind === 'failed' && report.cause === 'unstoppable';

/** True for the rejection of a start whose worker could not be ended. */
export const mayLive = (error: unknown): boolean => codeOf(error) === 'WORKER_UNSTOPPABLE';

/** A failure says that its work is not saved; of a reply, the acceptance finds it out. */
const withTrouble = (report: AttemptReport, trouble: string | undefined): AttemptReport =>
  trouble === undefined || report.kind === 'replied'
    ? report
    : { ...report, detail: `${report.detail}; ${trouble}` };
