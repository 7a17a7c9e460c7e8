import type { AttemptHandle, AttemptReport, WorkOrder } from '@atelier/engine';
import { type JsonValue, printable } from '@atelier/envelope';
import type { AttemptFolder } from './attempt-folder.ts';
import { CliTransportError } from './cli-error.ts';
import { type Brood, endAll, endLeftovers } from './end-all.ts';
import { type Ending, settle } from './ending.ts';
import { followOutput } from './follow-output.ts';
import { sinceBootMs } from './machine-clock.ts';
import type { Settings } from './options.ts';
import type { WorkerSignal } from './output-reader.ts';
import type { ProcessIdentity } from './process-table.ts';
import { measureSpool, readSpool } from './spool.ts';
import { isReleasedWithin, outOfReach } from './worker-lock.ts';

/** Often enough for a person who watches, seldom enough for a hundred workers. */
const LOOK_MS = 100;

/** How long after its end a process may still hold what the system takes back. */
export const RELEASE_MS = 2_000;

/** A worker to watch. */
export interface Worker {
  readonly order: WorkOrder;
  readonly folder: AttemptFolder;
  readonly leader: ProcessIdentity | undefined;
  /** When this host ends it at the latest, in monotonic milliseconds of this boot. */
  readonly endAtMs: number;
  /** Resolves when its supervisor has ended; never rejects. */
  readonly exited: Promise<void>;
  /** `adopted`: another host started it, and may have ended it too. `hidden`: so, and it can not be seen from here. */
  readonly origin: 'started' | 'adopted' | 'hidden';
  /** For people. */
  readonly description: JsonValue;
  /** Of an adopted one. */
  readonly wallClockLeftMs?: number;
  /** Whether anything of an adopted one lives, seen or not. */
  readonly held?: () => Promise<boolean>;
}

/** Watches a worker until nothing of it is left. Ends it when a limit is passed, or when it stays quiet after its reply. */
export function attemptHandle(worker: Worker, settings: Settings): AttemptHandle {
  const { order, folder, leader } = worker;
  const { agent, clock, limits } = settings;
  const brood: Brood = {
    ...{ leader, nonce: order.nonce },
    ...(worker.origin === 'started' ? {} : { lock: folder.workerLock }),
  };
  const reader = agent.follow?.(order);
  const followed = reader && followOutput(folder.stdout, reader, limits.stdoutBytes);
  const listeners: ((signal: unknown) => void)[] = [];
  const over = new AbortController();
  let ending: Ending | undefined;
  let gone: Promise<void> | undefined;
  let active = clock.now();
  let size = measureSpool(folder);
  let drainChecked = false;
  let isCut = false;

  /** Throws `WORKER_UNSTOPPABLE`. */
  const assertReleased = async () => {
    if (worker.held && !(await isReleasedWithin(RELEASE_MS, worker.held, clock)))
      throw outOfReach(folder);
  };

  const end = (why: Ending): Promise<void> => {
    ending ??= why;
    gone ??= endAll(brood, limits.graceMs, clock).then(assertReleased);
    over.abort();
    return gone;
  };

  const tellAll = (signals: readonly WorkerSignal[]) => {
    for (const signal of signals) for (const listener of listeners) tell(listener, signal);
  };

  const look = () => {
    const before = size;
    size = measureSpool(folder);
    // The program only ever adds to it.
    if (size.stdoutBytes < before.stdoutBytes) isCut = true;
    if (size.trace !== before.trace) {
      active = clock.now();
      drainChecked = false;
      const bytes = size.stdoutBytes + size.stderrBytes + size.replyBytes;
      tellAll([{ kind: 'output', bytes }]);
    }
    tellAll(followed?.look(size.stdoutBytes) ?? []);
  };

  const isQuietAfterReply = (): boolean => {
    // What can not be ended may as well take its time.
    if (worker.origin === 'hidden') return false;
    if (drainChecked || clock.now() - active < limits.drainMs) return false;
    drainChecked = true;
    try {
      return agent.replyIn(readSpool(folder, limits).output, order) !== undefined;
    } catch {
      return false;
    }
  };

  const due = (): Ending | undefined => {
    if (isCut) return { kind: 'forged' };
    if (Math.max(size.stdoutBytes, size.stderrBytes) > limits.stdoutBytes) return { kind: 'limit' };
    if (size.replyBytes > limits.replyBytes) return { kind: 'limit' };
    if (sinceBootMs() >= worker.endAtMs) return { kind: 'deadline' };
    return isQuietAfterReply() ? { kind: 'drained' } : undefined;
  };

  const watch = async () => {
    while (!over.signal.aborted) {
      await clock.sleep(LOOK_MS, over.signal);
      if (over.signal.aborted) return;
      look();
      const why = due();
      if (why) await end(why);
    }
  };

  const finish = async (): Promise<AttemptReport> => {
    // A worker that does not take its end never exits; then it is the ending that fails.
    await Promise.race([worker.exited, aborted(over.signal), watch()]);
    over.abort();
    await (gone ?? endLeftovers(brood, clock).then(assertReleased));
    look();
    tellAll(followed?.rest() ?? []);
    if (isCut && ending?.kind !== 'stopped') ending = { kind: 'forged' };
    return settle(worker, { ending, usage: followed?.usage() ?? {} }, settings);
  };

  return {
    report: finish().catch(broken),
    peek: async () => agent.replyIn(readSpool(folder, limits).output, order),
    stop: (reason) => end({ kind: 'stopped', reason }),
    activity() {
      look();
      return active;
    },
    worker: worker.description,
    ...(worker.wallClockLeftMs === undefined ? {} : { wallClockLeftMs: worker.wallClockLeftMs }),
    subscribe(listener) {
      listeners.push(listener);
    },
  };
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

function tell(listener: (signal: unknown) => void, signal: WorkerSignal): void {
  try {
    listener(signal);
  } catch {
    // Telemetry is lossy, and a listener's failure is its own.
  }
}

/** The report of a worker of which it is not known that it has ended. */
export const broken = (error: unknown): AttemptReport => ({
  kind: 'failed',
  cause:
    error instanceof CliTransportError && error.code === 'WORKER_UNSTOPPABLE'
      ? 'unstoppable'
      : 'transport',
  detail: printable(error),
});
