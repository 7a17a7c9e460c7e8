import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '@atelier/engine';
import { attemptFolder, attemptsOf } from './attempt-folder.ts';
import { readMeta } from './attempt-meta.ts';
import { endAll, isGone } from './end-all.ts';
import { occupantOf } from './living-supervisor.ts';
import { machineClock } from './machine-clock.ts';
import { withdrawPermit } from './start-permit.ts';

/** A worker that was still there. */
export interface SweptWorker {
  /** The attempt's folder. */
  readonly path: string;
  /** Undefined when what was written down about it can not be read. */
  readonly taskId: string | undefined;
  readonly attempt: number | undefined;
}

/**
 * Ends every worker of a run whose host is gone, and resolves when none is left; tells whom it ended. Only
 * for whoever holds the run's lock: the workers of a living host would be ended too. Linux only; elsewhere
 * it finds nobody. What runs in another pid namespace that is not below this one is not found either.
 */
export async function sweep(
  runDir: string,
  { graceMs = 3_000, clock = machineClock }: { graceMs?: number; clock?: Clock } = {},
): Promise<readonly SweptWorker[]> {
  const swept = await Promise.all(
    attemptPaths(runDir).map(async (path): Promise<SweptWorker[]> => {
      const folder = attemptFolder(path);
      withdrawPermit(folder);
      const meta = readMeta(folder);
      const brood = occupantOf(folder);
      if (isGone(brood)) return [];
      await endAll(brood, graceMs, clock);
      return [{ path, taskId: meta?.taskId, attempt: meta?.attempt }];
    }),
  );
  return swept.flat();
}

const attemptPaths = (runDir: string): string[] =>
  foldersIn(attemptsOf(runDir)).flatMap((task) => foldersIn(task));

function foldersIn(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(path, name));
  } catch {
    return [];
  }
}
