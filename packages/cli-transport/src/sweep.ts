import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '@atelier/engine';
import { type AttemptFolder, attemptFolder, attemptsOf } from './attempt-folder.ts';
import { RELEASE_MS } from './attempt-handle.ts';
import { type AttemptMeta, readMeta } from './attempt-meta.ts';
import { endAll, isGone } from './end-all.ts';
import { occupantOf } from './living-supervisor.ts';
import { bootId, machineClock } from './machine-clock.ts';
import { pidNamespaceOf } from './process-table.ts';
import { endCommands } from './shell/end-commands.ts';
import { withdrawPermit } from './start-permit.ts';
import { lockProgram } from './system-programs.ts';
import { isHeld, isReleasedWithin } from './worker-lock.ts';

/** A worker that was still there. */
export interface SweptWorker {
  /** The attempt's folder. */
  readonly path: string;
  /** Undefined when what was written down about it can not be read. */
  readonly taskId: string | undefined;
  readonly attempt: number | undefined;
  /** False for one that may live on: it could not be ended, or only its lock tells of it. */
  readonly isGone: boolean;
}

interface SweepOptions {
  /** Between asking to end and ending. 3,000 when absent. */
  readonly graceMs?: number;
  readonly clock?: Clock;
}

interface Swept {
  readonly folder: AttemptFolder;
  readonly meta: AttemptMeta | undefined;
  readonly end: 'absent' | 'ended' | 'alive';
}

/**
 * Ends every worker of a run whose host is gone, and every command; tells of the workers that were there, and which of
 * them may live on. Only for whoever holds the run's lock: what a living host has started would be ended too. Never
 * rejects. Linux only; elsewhere it finds nobody.
 */
export async function sweep(
  runDir: string,
  { graceMs = 3_000, clock = machineClock }: SweepOptions = {},
): Promise<readonly SweptWorker[]> {
  const ending = attemptPaths(runDir).map(async (path): Promise<Swept> => {
    const folder = attemptFolder(path);
    withdrawPermit(folder);
    return { folder, meta: readMeta(folder), end: await endOccupant(folder, graceMs, clock) };
  });
  await endCommands(runDir, { graceMs, clock });
  const flock = lockProgram(() => undefined);
  const found: SweptWorker[] = [];
  for (const { folder, meta, end } of await Promise.all(ending)) {
    const held = () => isHeld(folder, flock());
    const hides = isElsewhere(meta) && !(await isReleasedWithin(RELEASE_MS, held, clock));
    if (end === 'absent' && !hides) continue;
    const { path } = folder;
    const isGone = end !== 'alive' && !hides;
    found.push({ path, taskId: meta?.taskId, attempt: meta?.attempt, isGone });
  }
  return found;
}

async function endOccupant(
  folder: AttemptFolder,
  graceMs: number,
  clock: Clock,
): Promise<Swept['end']> {
  try {
    const brood = occupantOf(folder);
    if (isGone(brood)) return 'absent';
    await endAll(brood, graceMs, clock);
    return 'ended';
  } catch {
    return 'alive';
  }
}

/** Only then are there processes of it that can not be seen from here. */
const isElsewhere = (meta: AttemptMeta | undefined): boolean =>
  meta === undefined ||
  (meta.bootId === (bootId() ?? '') && meta.pidNamespace !== pidNamespaceOf('self'));

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
