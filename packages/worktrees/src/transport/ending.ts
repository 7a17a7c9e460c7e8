import type { Worktree } from '../attempt/carve.ts';
import type { SalvageOptions } from '../attempt/salvage.ts';
import { oneAtATime } from '../git/one-at-a-time.ts';
import type { Run } from '../run.ts';
import { shown } from '../shown.ts';

/** What happens to the worktree of a worker that ended. Nothing here rejects. */
export interface Ending {
  /** Saves the work; resolves to what went wrong, if anything. The worktree stays. */
  save(): Promise<string | undefined>;
  /** The same for a worker that may live on: whoever learns of its end has to save again. */
  saveSoFar(): Promise<string | undefined>;
  /** Saves the work and removes the worktree, once. */
  close(): Promise<string | undefined>;
  /** Waits for one of them, but no longer than `ms`; warns that it goes on. */
  wait(saving: Promise<unknown>, ms: number): Promise<void>;
  /** Removes the worktree after the checks, once what was begun here is through. */
  release(): Promise<void>;
}

/** The end of a worker in its worktree. `isOver`: an earlier host saw it and saved the work. */
export function endingOf(run: Run, worktree: Worktree, isOver = false): Ending {
  const { taskId, attempt, path } = worktree;
  const name = `attempt ${attempt} of task ${shown(taskId, 60)}`;
  const message = `Attempt ${attempt} of task ${shown(taskId, 60)}\n\nAtelier-Run: ${shown(run.id, 100)}`;
  const serially = oneAtATime();
  const save = async (options?: SalvageOptions) => {
    // What is in the worktree by now may be what the checks of the work have left.
    if (isOver) return undefined;
    try {
      await run.salvage(worktree, message, options);
      return undefined;
    } catch (error) {
      const trouble = `the work could not be saved: ${messageOf(error)}; what is left of it is in ${shown(path)}`;
      run.warn(`${name}: ${trouble}`);
      return trouble;
    }
  };
  let closing: Promise<string | undefined> | undefined;
  const close = async () => {
    const trouble = await save();
    if (trouble !== undefined) return trouble;
    try {
      const removal = await (isOver ? run.release(worktree) : run.remove(worktree));
      if (removal?.kind === 'kept') run.warn(`${shown(path)} was kept: ${removal.why}`);
    } catch (error) {
      run.warn(messageOf(error));
    }
    return undefined;
  };
  return {
    save: () => serially(() => save()),
    saveSoFar: () => serially(() => save({ provisional: true })),
    close: () => {
      closing ??= serially(close);
      return closing;
    },
    async wait(saving, ms) {
      if (await isDoneWithin(saving, ms)) return;
      run.warn(`${name}: saving its work takes long and goes on; ${shown(path)} stays meanwhile`);
    },
    release: () => serially(() => releaseQuietly(run, worktree)),
  };
}

/** Releases an attempt, known or not; says in a warning what kept its worktree. Never rejects. */
export async function releaseQuietly(
  run: Run,
  { taskId, attempt }: { readonly taskId: string | number; readonly attempt: number },
): Promise<void> {
  const name = `attempt ${attempt} of task ${shown(String(taskId), 60)}`;
  try {
    const removal = await run.release({ taskId, attempt });
    if (removal?.kind === 'kept') run.warn(`the worktree of ${name} was kept: ${removal.why}`);
  } catch (error) {
    run.warn(`the worktree of ${name} was kept: ${messageOf(error)}`);
  }
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

/** An error in one printable line. */
export const messageOf = (error: unknown): string =>
  shown(error instanceof Error ? error.message : String(error));
