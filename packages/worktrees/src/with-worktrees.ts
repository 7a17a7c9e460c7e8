import type { AttemptHandle, AttemptReport, Transport, WorkOrder } from '@atelier/engine';
import type { Worktree } from './carve.ts';
import type { Run } from './run.ts';
import { shown } from './shown.ts';

/** Less than the 60 s after which the engine takes a worker for unstoppable and gives its task up. */
const STOP_MS = 45_000;

/**
 * A transport whose workers each get a worktree of their own as `order.workspace`. However an attempt ends, its
 * work is saved before the end is told; then the worktree goes. Rejects to start when none can be carved. A stop waits for the saving until `stopMs` after it
 * was asked for (45 s when absent); then the saving goes on, with a warning.
 */
export function withWorktrees(
  transport: Transport,
  run: Run,
  { stopMs = STOP_MS }: { readonly stopMs?: number } = {},
): Transport {
  const { adopt } = transport;
  return {
    name: transport.name,
    capabilities: transport.capabilities,
    async start(order, signal) {
      const began = performance.now();
      const worktree = await run.carve(requestOf(order));
      const ending = endingOf(run, worktree);
      try {
        signal.throwIfAborted();
        const wallClockMs = Math.max(0, order.wallClockMs - (performance.now() - began));
        const placed = { ...order, workspace: worktree.path, wallClockMs };
        return guard(await transport.start(placed, signal), ending, stopMs);
      } catch (error) {
        await ending.close();
        throw error;
      }
    },
    ...(adopt && {
      async adopt(order: WorkOrder, signal: AbortSignal) {
        const worktree = await run.find(requestOf(order));
        if (!worktree) return adopt.call(transport, order, signal);
        const ending = endingOf(run, worktree);
        const placed = { ...order, workspace: worktree.path };
        const handle = await adopt.call(transport, placed, signal);
        if (handle) return guard(handle, ending, stopMs);
        // Nobody is left who works in it.
        await ending.close();
        return undefined;
      },
    }),
  };
}

const requestOf = ({ task, attempt }: WorkOrder) => ({ taskId: task.id, attempt });

interface Ending {
  /** Saves the work, once; resolves to what went wrong, if anything. Never rejects. */
  save(): Promise<string | undefined>;
  /** Saves the work and removes the worktree, once. Never rejects. */
  close(): Promise<string | undefined>;
  /** Waits for one of them, but no longer than `ms`; warns that it goes on. */
  wait(saving: Promise<unknown>, ms: number): Promise<void>;
}

function endingOf(run: Run, worktree: Worktree): Ending {
  const { taskId, attempt, path } = worktree;
  const message = `Attempt ${attempt} of task ${shown(taskId, 60)}\n\nAtelier-Run: ${shown(run.id, 100)}`;
  const save = async () => {
    try {
      await run.salvage(worktree, message);
      return undefined;
    } catch (error) {
      const trouble = `the work could not be saved: ${messageOf(error)}; what is left of it is in ${shown(path)}`;
      run.warn(`attempt ${attempt} of task ${shown(taskId, 60)}: ${trouble}`);
      return trouble;
    }
  };
  let closing: Promise<string | undefined> | undefined;
  const close = async () => {
    const trouble = await save();
    if (trouble !== undefined) return trouble;
    try {
      const removal = await run.remove(worktree);
      if (removal.kind === 'kept') run.warn(`${shown(path)} was kept: ${removal.why}`);
    } catch (error) {
      run.warn(messageOf(error));
    }
    return undefined;
  };
  return {
    save,
    close: () => {
      closing ??= close();
      return closing;
    },
    async wait(saving, ms) {
      if (await isDoneWithin(saving, ms)) return;
      run.warn(
        `attempt ${attempt} of task ${shown(taskId, 60)}: saving its work takes long and goes on; ${shown(path)} stays meanwhile`,
      );
    },
  };
}

async function isDoneWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

const messageOf = (error: unknown): string =>
  shown(error instanceof Error ? error.message : String(error));

function guard(handle: AttemptHandle, ending: Ending, stopMs: number): AttemptHandle {
  const { activity, subscribe } = handle;
  return {
    report: handle.report.then(async (report) => withTrouble(report, await ending.close())),
    peek: () => handle.peek(),
    async stop(reason) {
      const asked = performance.now();
      const left = () => Math.max(0, stopMs - (performance.now() - asked));
      try {
        await handle.stop(reason);
      } catch (error) {
        // The worker may live on, so its folder stays; what is there so far is saved.
        await ending.wait(ending.save(), left());
        throw error;
      }
      await ending.wait(ending.close(), left());
    },
    ...(activity && { activity: () => activity.call(handle) }),
    ...(subscribe && {
      subscribe: (listener: (signal: unknown) => void) => subscribe.call(handle, listener),
    }),
  };
}

/** A failure says that its work is not saved; of a reply, the acceptance finds it out. */
const withTrouble = (report: AttemptReport, trouble: string | undefined): AttemptReport =>
  trouble === undefined || report.kind === 'replied'
    ? report
    : { ...report, detail: `${report.detail}; ${trouble}` };
