import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type {
  AttemptHandle,
  AttemptReport,
  ReviewedWork,
  Transport,
  WorkOrder,
} from '@atelier/engine';
import { attemptFolder } from '../attempt/attempt-record.ts';
import type { Scratch } from '../attempt/checkout.ts';
import { WorktreeError } from '../error.ts';
import type { Run } from '../run.ts';
import { safeName } from '../safe-name.ts';
import { shown } from '../shown.ts';
import { messageOf } from './ending.ts';
import { isUnstoppable, mayLive } from './guard-worker.ts';

/** A reviewer at work, and what happens to its worktree. */
export interface WatchedReview {
  readonly handle: AttemptHandle;
  /**
   * Removes the worktree. Not before the verdict is recorded: a host that finds the reviewer again has to look once
   * more at what was reviewed. It stays under a reviewer that could not be ended. Never rejects.
   */
  release(): Promise<void>;
}

type ReviewOrder = WorkOrder & { readonly review: ReviewedWork };

/**
 * Starts a reviewer in a worktree of its own that holds the very commit that would be merged, to read: what the author
 * or a check has left in the author’s folder is not what is decided about. Rejects with `WORK_NOT_SAVED`.
 */
export async function startReview(
  transport: Transport,
  run: Run,
  order: ReviewOrder,
  signal: AbortSignal,
): Promise<WatchedReview> {
  const began = performance.now();
  const tenant = { taskId: order.task.id, attempt: order.attempt };
  const scratch = await run.checkout(await commitUnderReview(run, order), signal, tenant);
  try {
    await writeFile(fileOf(run, order), scratch.name);
    signal.throwIfAborted();
    const wallClockMs = Math.max(0, order.wallClockMs - (performance.now() - began));
    const handle = await transport.start({ ...placeIn(scratch, order), wallClockMs }, signal);
    return watchReview(handle, endOf(run, scratch));
  } catch (error) {
    if (!mayLive(error)) await endOf(run, scratch).close();
    throw error;
  }
}

/** Finds a reviewer of an earlier host again, in the worktree that it was given. */
export async function adoptReview(
  adopt: NonNullable<Transport['adopt']>,
  run: Run,
  order: ReviewOrder,
  signal: AbortSignal,
): Promise<WatchedReview | undefined> {
  const name = await readFile(fileOf(run, order), 'utf8').catch(() => undefined);
  const scratch = name === undefined ? undefined : await run.reopen(name);
  const handle = await adopt(scratch ? placeIn(scratch, order) : order, signal);
  const end = scratch ? endOf(run, scratch) : LOST;
  if (handle) return watchReview(handle, end);
  await end.close();
  return undefined;
}

const placeIn = ({ path, frozen }: Scratch, order: ReviewOrder): WorkOrder => ({
  ...order,
  workspace: path,
  frozen,
  readOnly: true,
});

async function commitUnderReview(run: Run, { review }: ReviewOrder): Promise<string> {
  const saved = await run.saved({ taskId: review.task.id, attempt: review.attempt });
  if (saved) return saved.commit ?? saved.base;
  throw new WorktreeError(
    'WORK_NOT_SAVED',
    `there is no saved work of attempt ${review.attempt} of task ${shown(String(review.task.id), 60)}`,
    'Only work that was saved can be reviewed.',
  );
}

/** Where the name of a reviewer’s worktree is kept, for a later host. */
function fileOf({ root }: Run, { task, attempt, review }: ReviewOrder): string {
  const folder = attemptFolder(root, review.task.id, review.attempt);
  return join(folder, `review-${safeName(task.id)}-${attempt}`);
}

interface ReviewEnd {
  /** What the reviewer has changed, in words. Never rejects. */
  look(): Promise<string | undefined>;
  /** Removes its worktree, once. Never rejects. */
  close(): Promise<void>;
}

function endOf(run: Run, scratch: Scratch): ReviewEnd {
  const look = async () => {
    try {
      const changed = await scratch.changes();
      return changed.length > 0 ? 'the reviewer changed files of the work under review' : undefined;
    } catch (error) {
      return `the work under review can not be read any more: ${messageOf(error)}`;
    }
  };
  return {
    look,
    close: () => scratch.dispose().catch((error: unknown) => run.warn(messageOf(error))),
  };
}

const LOST: ReviewEnd = {
  look: async () => 'what was reviewed is not there any more',
  close: async () => undefined,
};

/** Failures of which the run must hear whatever else went wrong: those of the world, and of a reviewer that may live. */
const ALWAYS_TOLD: ReadonlySet<string> = new Set([
  'usage-limit',
  'account',
  'overloaded',
  'unstoppable',
]);

function watchReview(inner: AttemptHandle, end: ReviewEnd): WatchedReview {
  const { activity, subscribe, worker, wallClockLeftMs } = inner;
  let atLarge = false;
  const handle: AttemptHandle = {
    report: inner.report.then(async (report) => {
      atLarge = isUnstoppable(report);
      return judged(report, await end.look());
    }),
    async peek() {
      const seen = await inner.peek();
      if (seen === undefined || seen === null) return seen;
      // A reply that is taken from here is never told in a report.
      return (await end.look()) === undefined ? seen : undefined;
    },
    async stop(reason) {
      atLarge = true;
      await inner.stop(reason);
      atLarge = false;
    },
    ...(worker === undefined ? {} : { worker }),
    ...(wallClockLeftMs === undefined ? {} : { wallClockLeftMs }),
    ...(activity && { activity: () => activity.call(inner) }),
    ...(subscribe && {
      subscribe: (listener: (signal: unknown) => void) => subscribe.call(inner, listener),
    }),
  };
  return {
    handle,
    async release() {
      if (!atLarge) await end.close();
    },
  };
}

function judged(report: AttemptReport, change: string | undefined): AttemptReport {
  if (change === undefined) return report;
  if (report.kind === 'failed' && ALWAYS_TOLD.has(report.cause))
    return { ...report, detail: `${report.detail}; ${change}` };
  const { usage } = report;
  return { kind: 'failed', cause: 'write-scope', detail: change, ...(usage && { usage }) };
}
