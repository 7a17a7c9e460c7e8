import type { Clock } from '@atelier/engine';
import { CliTransportError } from './cli-error.ts';
import { machineProc, type Proc } from './proc.ts';
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
 * is. A process whose start time is not the leader's is never touched. Rejects with `WORKER_UNSTOPPABLE`, also where it
 * can not be told for so long whether anything is left.
 */
export async function endAll(
  brood: Brood,
  graceMs: number,
  clock: Clock,
  looking: Looking = {},
): Promise<void> {
  const { proc = machineProc } = looking;
  if (graceMs > 0) {
    signalAll(brood, 'SIGTERM', proc);
    if (await goneWithin(brood, graceMs, { clock, proc })) return;
  }
  await endLeftovers(brood, clock, looking);
}

/** How long, and where. */
interface Looking {
  /** What does not end in this time, or can not be looked at for so long, is taken for unstoppable. 120 s when absent. */
  readonly hopelessMs?: number;
  readonly proc?: Proc;
}

/** The same without asking first: what outlives its attempt has had its time. */
export async function endLeftovers(
  brood: Brood,
  clock: Clock,
  { hopelessMs = HOPELESS_MS, proc = machineProc }: Looking = {},
): Promise<void> {
  const hopelessAt = clock.now() + hopelessMs;
  while (!isGone(brood, proc)) {
    if (clock.now() > hopelessAt) throw hopeless(look(brood, proc));
    signalAll(brood, 'SIGKILL', proc);
    await goneWithin(brood, LONGEST_WAIT_MS, { clock, proc });
  }
}

const hopeless = ({ living, blindness }: Seen): unknown =>
  living.length === 0 && blindness !== undefined
    ? blindness
    : new CliTransportError(
        'WORKER_UNSTOPPABLE',
        `process ${living.join(', ')} does not end`,
        'Look for a file system that does not answer, and end the process by hand.',
      );

function signalAll(brood: Brood, signal: 'SIGTERM' | 'SIGKILL', proc: Proc): void {
  const { leader, inside = [] } = brood;
  // While its leader lives, a group's number can not have gone to another group.
  if (leader && isRunning(leader, proc)) send(-leader.pid, signal);
  for (const one of inside) if (isRunning(one, proc)) send(one.pid, signal);
  for (const pid of carriersOf(brood, proc).living) send(pid, signal);
}

async function goneWithin(
  brood: Brood,
  ms: number,
  { clock, proc }: { readonly clock: Clock; readonly proc: Proc },
): Promise<boolean> {
  const until = clock.now() + ms;
  for (
    let wait = SHORTEST_WAIT_MS;
    !isGone(brood, proc);
    wait = Math.min(2 * wait, LONGEST_WAIT_MS)
  ) {
    const left = until - clock.now();
    if (left <= 0) return false;
    await clock.sleep(Math.min(wait, left));
  }
  return true;
}

/** True once no process of the attempt lives; false where that can not be told. */
export function isGone(brood: Brood, proc: Proc = machineProc): boolean {
  const { living, blindness } = look(brood, proc);
  return living.length === 0 && blindness === undefined;
}

interface Seen {
  readonly living: readonly number[];
  /** Why there may be more of them. */
  readonly blindness?: unknown;
}

function look(brood: Brood, proc: Proc): Seen {
  const { leader, inside = [] } = brood;
  const known = [...(leader ? [leader] : []), ...inside]
    .filter((one) => isRunning(one, proc))
    .map(({ pid }) => pid);
  const carriers = carriersOf(brood, proc);
  return { ...carriers, living: [...new Set([...known, ...carriers.living])] };
}

function carriersOf({ leader, nonce, lock }: Brood, proc: Proc): Seen {
  const search = { proc, since: leader?.startTime };
  const living: number[] = [];
  try {
    if (nonce !== undefined) living.push(...processesWith(`ATELIER_NONCE=${nonce}`, search));
    if (lock !== undefined) living.push(...processesHolding(lock, search));
    return { living };
  } catch (blindness) {
    return { living, blindness };
  }
}

function send(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended first, or was never ours; whether it is gone is looked at, not assumed.
  }
}
