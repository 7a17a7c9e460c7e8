import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Journal, taskKey } from '@atelier/engine';
import type { Run } from '@atelier/worktrees';

/** A run whose workers have ended, and where things are kept for it. */
export interface EndedRun {
  readonly work: Run;
  readonly journal: Journal;
  /** The folder of its processes' output. */
  readonly workers: string;
}

/** Commands of checks have folders beside those of workers; none runs any more. */
const COMMAND_FOLDER = /^shell-/u;

/**
 * Removes what hosts of the run that were killed have left: worktrees, checkouts, folders of commands. A worker that
 * could not be ended keeps its folder.
 */
export async function tidyUp({ work, journal, workers }: EndedRun): Promise<void> {
  let unstoppable: Promise<ReadonlySet<string>> | undefined;
  await work.tidy(async ({ taskId, attempt }) => {
    unstoppable ??= unstoppableIn(journal, work.id);
    return (await unstoppable).has(JSON.stringify([taskId, attempt]));
  });
  const names = await readdir(workers).catch(() => []);
  for (const name of names.filter((one) => COMMAND_FOLDER.test(one)))
    await rm(join(workers, name), { recursive: true, force: true });
}

async function unstoppableIn(journal: Journal, runId: string): Promise<ReadonlySet<string>> {
  const events = await journal.load(runId);
  return new Set(
    events.flatMap((event) =>
      event.type === 'attempt.closed' &&
      event.closure.kind === 'failed' &&
      event.closure.cause === 'unstoppable'
        ? [JSON.stringify([taskKey(event.taskId), event.attempt])]
        : [],
    ),
  );
}
