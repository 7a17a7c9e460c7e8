import type { AttemptFolder } from './attempt-folder.ts';
import { readMeta } from './attempt-meta.ts';
import { livingSupervisor } from './living-supervisor.ts';

/**
 * Whether the worker of an attempt is seen to live, whoever started it. Only reads, and is for showing: false also where
 * it can not be told, as of another pid namespace or a system without `/proc`, so that nothing may be ended by it.
 */
export function isWorkerAlive(folder: AttemptFolder): boolean {
  try {
    const meta = readMeta(folder);
    return meta !== undefined && livingSupervisor(folder, meta) !== undefined;
  } catch {
    return false;
  }
}
