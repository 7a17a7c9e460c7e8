import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '@atelier/engine';
import { printable } from '@atelier/envelope';
import { attemptFolder } from '../attempt-folder.ts';
import { endAll, isGone } from '../end-all.ts';
import { occupantOf } from '../living-supervisor.ts';
import { hasHost, isRecorded, readCommand } from './command-record.ts';
import { outputOf } from './output-pipe.ts';
import { removeFolder } from './remove-folder.ts';

/** What the folder of a command begins with, in that of the run. */
export const COMMAND_FOLDER = 'shell-';

/** What does not take its end in this time is not waited for. */
const PATIENCE_MS = 10_000;

interface EndCommands {
  readonly graceMs: number;
  readonly clock: Clock;
  /** Leave alone what a host that lives has started. False when absent. */
  readonly onlyOrphans?: boolean;
  readonly warn?: (message: string) => void;
}

/**
 * Ends the commands that run for a run, removes their folders, and what is left of such folders, and resolves when none is
 * left; warns of one that may be. For whoever holds the run's lock. Never rejects.
 */
export async function endCommands(
  runDir: string,
  { graceMs, clock, onlyOrphans = false, warn = () => undefined }: EndCommands,
): Promise<void> {
  const end = async (path: string) => {
    const folder = attemptFolder(path);
    try {
      if (!isRecorded(folder)) return await removeFolder(path, warn);
      const record = readCommand(folder);
      if (!record || (onlyOrphans && hasHost(record))) return;
      const { leader } = occupantOf(folder);
      // Walls that were not up yet hide the mark, and do not know yet to end with their host.
      const brood = { leader, nonce: record.mark, lock: outputOf(path) };
      if (!isGone(brood)) await endAll(brood, graceMs, clock, { hopelessMs: PATIENCE_MS });
      await removeFolder(path, warn);
    } catch (error) {
      warn(`a command of an earlier host may run on, see ${printable(path)}: ${printable(error)}`);
    }
  };
  await Promise.all(commandPaths(runDir).map(end));
}

function commandPaths(runDir: string): string[] {
  try {
    return readdirSync(runDir)
      .filter((name) => name.startsWith(COMMAND_FOLDER))
      .map((name) => join(runDir, name));
  } catch {
    return [];
  }
}
