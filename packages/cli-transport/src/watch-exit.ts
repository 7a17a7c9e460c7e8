import { type FSWatcher, watch } from 'node:fs';
import type { Clock } from '@atelier/engine';
import type { AttemptFolder } from './attempt-folder.ts';
import { isRunning, type ProcessIdentity } from './process-table.ts';
import { readExit } from './supervisor.ts';

/** How late an end is noticed where the folder can not be watched. */
const LOOK_MS = 100;

/**
 * Resolves when a supervisor that is not our child has ended, or has written that its program has, or the signal
 * aborts. Never rejects.
 */
export async function watchExit(
  folder: AttemptFolder,
  leader: ProcessIdentity,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<void> {
  let wake = new AbortController();
  const stir = () => wake.abort();
  const watcher = watchFolder(folder.path, stir);
  signal.addEventListener('abort', stir);
  try {
    while (!signal.aborted && isRunning(leader) && !readExit(folder)) {
      await clock.sleep(LOOK_MS, wake.signal);
      wake = new AbortController();
    }
  } finally {
    signal.removeEventListener('abort', stir);
    watcher?.close();
  }
}

/** Undefined when the machine has no watch left to give. */
function watchFolder(path: string, onChange: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(path, onChange);
    watcher.on('error', () => undefined);
    return watcher;
  } catch {
    return undefined;
  }
}
