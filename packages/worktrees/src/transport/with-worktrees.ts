import type { AttemptHandle, ReviewedWork, Transport, WorkOrder } from '@atelier/engine';
import type { CarveRequest, Worktree } from '../attempt/carve.ts';
import type { Run } from '../run.ts';
import { continuesFrom } from './continues-from.ts';
import { type Ending, endingOf, messageOf, releaseQuietly } from './ending.ts';
import { guardWorker, mayLive } from './guard-worker.ts';
import { adoptReview, startReview, type WatchedReview } from './review.ts';

/** Less than the 60 s after which the engine takes a worker for unstoppable and gives its task up. */
const STOP_MS = 45_000;

/**
 * A transport whose workers each get a worktree of their own as `order.workspace`. However an attempt ends, its
 * work is saved before the end is told. The worktree of one that replied stays for its checks until `release`; any
 * other goes. A reviewer gets one of the
 * saved work instead, to read, and must leave it as it is. Rejects to start when
 * there is no worktree. A stop waits for the saving until `stopMs` after it was asked for (45 s when absent); then
 * the saving goes on, with a warning.
 */
export function withWorktrees(
  transport: Transport,
  run: Run,
  { stopMs = STOP_MS }: { readonly stopMs?: number } = {},
): Transport {
  const { adopt, release } = transport;
  const known = new Map<string, Tenancy>();
  const reviews = new Map<string, WatchedReview>();
  const watch = (order: WorkOrder, review: WatchedReview): AttemptHandle => {
    reviews.set(keyOf(order), review);
    return review.handle;
  };
  const guard = (order: WorkOrder, inner: AttemptHandle, ending: Ending): AttemptHandle => {
    const worker = guardWorker(inner, ending, stopMs);
    known.set(keyOf(order), { ending, isAtLarge: worker.isAtLarge });
    return worker.handle;
  };
  return {
    name: transport.name,
    capabilities: transport.capabilities,
    async start(order, signal) {
      if (isReview(order)) return watch(order, await startReview(transport, run, order, signal));
      const began = performance.now();
      known.set(keyOf(order), OPENING);
      let ending: Ending | undefined;
      try {
        const worktree = await run.carve(requestOf(order), signal);
        ending = endingOf(run, worktree);
        signal.throwIfAborted();
        const wallClockMs = Math.max(0, order.wallClockMs - (performance.now() - began));
        const placed = { ...placeIn(worktree, order), wallClockMs };
        return guard(order, await transport.start(placed, signal), ending);
      } catch (error) {
        if (mayLive(error)) await ending?.saveSoFar();
        else {
          await ending?.close();
          known.delete(keyOf(order));
        }
        throw error;
      }
    },
    ...(adopt && {
      async adopt(order: WorkOrder, signal: AbortSignal) {
        if (isReview(order)) {
          const review = await adoptReview(adopt.bind(transport), run, order, signal);
          return review && watch(order, review);
        }
        const name = { taskId: order.task.id, attempt: order.attempt };
        const worktree = await run.find(name);
        if (!worktree) return adopt.call(transport, order, signal);
        const saved = await run.saved(name);
        const ending = endingOf(run, worktree, saved !== undefined && !saved.provisional);
        known.set(keyOf(order), OPENING);
        const placed = placeIn(worktree, order);
        const handle = await adopt.call(transport, placed, signal).catch(async (error: unknown) => {
          // Nobody can tell whether somebody works in it.
          await ending.saveSoFar();
          throw error;
        });
        if (handle) return guard(order, handle, ending);
        // Nobody is left who works in it.
        await ending.close();
        known.delete(keyOf(order));
        return undefined;
      },
    }),
    async release(attempt) {
      await reviews.get(keyOf(attempt))?.release();
      reviews.delete(keyOf(attempt));
      const { ending, isAtLarge } = known.get(keyOf(attempt)) ?? {};
      // Its folder stays under a worker that could not be ended.
      if (!isAtLarge?.()) {
        if (ending) await ending.release();
        else await releaseQuietly(run, { taskId: attempt.task.id, attempt: attempt.attempt });
        known.delete(keyOf(attempt));
      }
      try {
        await release?.call(transport, attempt);
      } catch (error) {
        run.warn(messageOf(error));
      }
    },
  };
}

/** Who may work in the worktree of an attempt. */
interface Tenancy {
  readonly ending?: Ending;
  readonly isAtLarge: () => boolean;
}

/** A start, or a search, that has not come back: whoever gives it up has not ended anybody. */
const OPENING: Tenancy = { isAtLarge: () => true };

const keyOf = ({ task, attempt }: Pick<WorkOrder, 'task' | 'attempt'>): string =>
  JSON.stringify([String(task.id), attempt]);

const isReview = (order: WorkOrder): order is WorkOrder & { readonly review: ReviewedWork } =>
  order.review !== undefined;

function requestOf({ task, attempt, previous }: WorkOrder): CarveRequest {
  const produces = task.must_produce ?? [];
  return {
    taskId: task.id,
    attempt,
    produces,
    ...(continuesFrom(previous) && { from: attempt - 1 }),
  };
}

const placeIn = ({ path, frozen }: Worktree, order: WorkOrder): WorkOrder => ({
  ...order,
  workspace: path,
  frozen,
});
