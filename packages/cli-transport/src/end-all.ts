import type { Clock } from '@atelier/engine';
import { CliTransportError } from './cli-error.ts';
import {
  isRunning,
  type ProcessIdentity,
  processesHolding,
  processesWith,
} from './process-table.ts';

/** The processes of one attempt. */
export interface Brood {
  /** Leads the process group; undefined when it is not known or known to be gone. */
  readonly leader: ProcessIdentity | undefined;
  /** In the environment of all of them, however far they have forked away. */
  readonly nonce: string | undefined;
  /** First processes of the namespaces below the leader: as long as one lives, so may others inside. */
  readonly inside?: readonly ProcessIdentity[];
  /** A file that whatever has forked away holds open, even without the nonce. Looked for where it is named. */
  readonly lock?: string;
}

const SHORTEST_WAIT_MS = 2;
const LONGEST_WAIT_MS = 50;

/** After this long a process that does not even take KILL is stuck in the kernel. */
const HOPELESS_MS = 120_000;

/**
 * Asks every process of the attempt to end, waits `graceMs`, ends what is left, and resolves once nothing
 * is. A process whose start time is not the leader's is never touched. Rejects with `WORKER_UNSTOPPABLE`.
 */
export async function endAll(brood: Brood, graceMs: number, clock: Clock): Promise<void> {
  if (graceMs > 0) {
    signalAll(brood, 'SIGTERM');
    if (await goneWithin(brood, graceMs, clock)) return;
  }
  await endLeftovers(brood, clock);
}

/** The same without asking first: what outlives its attempt has had its time. */
export async function endLeftovers(
  brood: Brood,
  clock: Clock,
  hopelessMs: number = HOPELESS_MS,
): Promise<void> {
  const hopelessAt = clock.now() + hopelessMs;
  while (!isGone(brood)) {
    if (clock.now() > hopelessAt)
      throw new CliTransportError(
        'WORKER_UNSTOPPABLE',
        `process ${livingOf(brood).join(', ')} does not end`,
        'Look for a file system that does not answer, and end the process by hand.',
      );
    signalAll(brood, 'SIGKILL');
    await goneWithin(brood, LONGEST_WAIT_MS, clock);
  }
}

function signalAll(brood: Brood, signal: 'SIGTERM' | 'SIGKILL'): void {
  const { leader, inside = [] } = brood;
  // While its leader lives, a group's number can not have gone to another group.
  if (leader && isRunning(leader)) send(-leader.pid, signal);
  for (const one of inside) if (isRunning(one)) send(one.pid, signal);
  for (const pid of carriersOf(brood)) send(pid, signal);
}

async function goneWithin(brood: Brood, ms: number, clock: Clock): Promise<boolean> {
  const until = clock.now() + ms;
  for (let wait = SHORTEST_WAIT_MS; !isGone(brood); wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    const left = until - clock.now();
    if (left <= 0) return false;
    await clock.sleep(Math.min(wait, left));
  }
  return true;
}

/** True once no process of the attempt lives. */
export const isGone = (brood: Brood): boolean => livingOf(brood).length === 0;

const livingOf = (brood: Brood): number[] => {
  const { leader, inside = [] } = brood;
  const known = [...(leader ? [leader] : []), ...inside].filter(isRunning).map(({ pid }) => pid);
  return [...new Set([...known, ...carriersOf(brood)])];
};

const carriersOf = ({ nonce, lock }: Brood): number[] => [
  ...(nonce === undefined ? [] : processesWith(`ATELIER_NONCE=${nonce}`)),
  ...(lock === undefined ? [] : processesHolding(lock)),
];

function send(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended first, or was never ours; whether it is gone is looked at, not assumed.
  }
}
