import { readFileSync } from 'node:fs';
import type { AttemptFolder } from './attempt-folder.ts';
import { type AttemptMeta, readMeta } from './attempt-meta.ts';
import {
  findProcess,
  isRunning,
  numbersOf,
  type ProcessIdentity,
  parseStat,
  pidNamespaceOf,
  processesWith,
  startedWith,
  wasCalledWith,
} from './process-table.ts';

const NONCE = 'ATELIER_NONCE';

/**
 * The supervisor of an attempt, by the number that it has here, if it lives and can be seen from here. Its own number
 * counts only in its own pid namespace; there and elsewhere it is known by its start and its nonce as well. Throws
 * `WORKER_UNSTOPPABLE` where it can not be told whether it lives.
 */
export function livingSupervisor(
  folder: AttemptFolder,
  { nonce, pidNamespace }: Pick<AttemptMeta, 'nonce' | 'pidNamespace'>,
): ProcessIdentity | undefined {
  const recorded = recordedSupervisor(folder);
  if (!recorded) return undefined;
  const isHere = pidNamespace === pidNamespaceOf('self');
  return (isHere ? [recorded.pid] : processesWith(`${NONCE}=${nonce}`))
    .flatMap((pid) => findProcess(pid) ?? [])
    .find(
      (one) =>
        one.startTime === recorded.startTime &&
        isRunning(one) &&
        pidNamespaceOf(one.pid) === pidNamespace &&
        numbersOf(one.pid).includes(recorded.pid) &&
        startedWith(one.pid, NONCE) === nonce,
    );
}

/** Whoever works in an attempt's folder, whatever was written down about it. Throws like {@link livingSupervisor}. */
export function occupantOf(folder: AttemptFolder): {
  readonly leader: ProcessIdentity | undefined;
  readonly nonce: string | undefined;
  readonly lock: string;
} {
  const meta = readMeta(folder);
  const leader = (meta && livingSupervisor(folder, meta)) ?? straySupervisor(folder);
  const nonce = (leader && startedWith(leader.pid, NONCE)) ?? meta?.nonce;
  return { leader, nonce, lock: folder.workerLock };
}

/** Known by its number, its start, and that it was called with this folder. */
function straySupervisor(folder: AttemptFolder): ProcessIdentity | undefined {
  const recorded = recordedSupervisor(folder);
  return recorded && isRunning(recorded) && wasCalledWith(recorded.pid, folder.path)
    ? recorded
    : undefined;
}

/** Who the supervisor said it is; undefined when it has not, or not all of it. */
export function recordedSupervisor({ supervisor }: AttemptFolder): ProcessIdentity | undefined {
  try {
    const stat = parseStat(readFileSync(supervisor, 'latin1'));
    return stat && { pid: stat.pid, startTime: stat.startTime };
  } catch {
    return undefined;
  }
}
