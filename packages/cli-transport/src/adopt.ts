import type { AttemptHandle, WorkOrder } from '@atelier/engine';
import { type AttemptFolder, spoolOf } from './attempt-folder.ts';
import { attemptHandle, broken, RELEASE_MS, type Worker } from './attempt-handle.ts';
import { type AttemptMeta, isOfThisBoot, readMeta } from './attempt-meta.ts';
import { describeWorker } from './describe-worker.ts';
import { endLeftovers, isGone } from './end-all.ts';
import { livingSupervisor, occupantOf, recordedSupervisor } from './living-supervisor.ts';
import { sinceBootMs } from './machine-clock.ts';
import type { Settings } from './options.ts';
import { readSpool } from './spool.ts';
import { withdrawPermit } from './start-permit.ts';
import { readExit } from './supervisor.ts';
import { watchExit } from './watch-exit.ts';
import { isHeld, isReleasedWithin, outOfReach, watchRelease } from './worker-lock.ts';

/** What does not end in this time is handed over as a worker that can not be ended. */
const PATIENCE_MS = 10_000;

/**
 * The worker that an earlier host started for this very attempt, if it runs, has ended or has replied. Undefined
 * otherwise; then nothing of it is left either, and nothing of it will start, so that the task can be dispatched again.
 * Never rejects: what is left and can not be ended is a handle that says so.
 */
export async function adoptWorker(
  order: WorkOrder,
  settings: Settings,
): Promise<AttemptHandle | undefined> {
  const folder = spoolOf(settings.runDir, order.task.id, order.attempt);
  const search: Search = {
    ...{ order, folder, settings },
    held: () => isHeld(folder, settings.flock()),
  };
  try {
    const found = await find(search);
    if (found) return found;
    // A supervisor that was about to start the program when its host was killed shows itself now, or never will.
    withdrawPermit(folder);
    return (await find(search)) ?? (await clear(search));
  } catch (error) {
    withdrawPermit(folder);
    return unreached(search, error);
  }
}

interface Search {
  readonly order: WorkOrder;
  readonly folder: AttemptFolder;
  readonly settings: Settings;
  readonly held: () => Promise<boolean>;
}

async function find(search: Search): Promise<AttemptHandle | undefined> {
  const { order, folder, settings, held } = search;
  const { clock } = settings;
  const meta = readMeta(folder);
  if (!meta || !belongsTo(meta, order)) return undefined;
  if (!isOfThisBoot(meta, settings)) return afterReboot(search, meta);
  const leader = livingSupervisor(folder, meta);
  if (leader) {
    const exited = (signal: AbortSignal) => watchExit(folder, leader, { clock, signal });
    return watched(search, meta, { leader, origin: 'adopted', exited });
  }
  if ((await held()) && isUnseen(search) && !(await isReleasedWithin(RELEASE_MS, held, clock))) {
    const exited = (signal: AbortSignal) => watchRelease(held, clock, signal);
    return watched(search, meta, { leader, origin: 'hidden', exited });
  }
  return hasEnded(search) ? ended(search, meta) : undefined;
}

/**
 * A failure stays what it was. A reply that no host has taken is lost: it tells of files, and nobody knows which of them
 * had come to the disk when the machine went down.
 */
async function afterReboot(search: Search, meta: AttemptMeta): Promise<AttemptHandle | undefined> {
  if (!readExit(search.folder)) return undefined;
  const handle = ended(search, meta);
  return (await handle.report).kind === 'failed' ? handle : undefined;
}

const belongsTo = (meta: AttemptMeta, { task, attempt, nonce }: WorkOrder): boolean =>
  meta.taskId === String(task.id) && meta.attempt === attempt && meta.nonce === nonce;

/** It has left something that counts, though nobody leads it any more. */
function hasEnded({ order, folder, settings: { agent, limits } }: Search): boolean {
  if (readExit(folder)) return true;
  try {
    return agent.replyIn(readSpool(folder, limits).output, order) !== undefined;
  } catch {
    return false;
  }
}

const isUnseen = ({ order: { nonce }, folder }: Search): boolean =>
  isGone({ leader: undefined, nonce, lock: folder.workerLock });

/** One that may still run: its wall clock goes on where it was. */
function watched(
  { order, folder, settings, held }: Search,
  meta: AttemptMeta,
  { leader, origin, exited }: Pick<Worker, 'leader' | 'origin'> & { readonly exited: Watch },
): AttemptHandle {
  const now = sinceBootMs();
  const wallClockLeftMs = Math.max(0, Math.min(meta.deadlineMs - now, order.wallClockMs));
  const over = new AbortController();
  const worker: Worker = {
    ...{ order, folder, leader, origin, held, wallClockLeftMs },
    endAtMs: now + wallClockLeftMs,
    exited: exited(over.signal),
    description: describeWorker(meta, leader, recordedSupervisor(folder)),
  };
  const handle = attemptHandle(worker, settings);
  void handle.report.then(() => over.abort());
  return handle;
}

type Watch = (signal: AbortSignal) => Promise<void>;

/** One whose report is only to be fetched: no clock runs for that, and times of another boot are not looked at. */
const ended = ({ order, folder, settings, held }: Search, meta: AttemptMeta): AttemptHandle =>
  attemptHandle(
    {
      ...{ order, folder, leader: undefined, origin: 'adopted', held },
      wallClockLeftMs: order.wallClockMs,
      endAtMs: Number.POSITIVE_INFINITY,
      exited: Promise.resolve(),
      description: describeWorker(meta, undefined, recordedSupervisor(folder)),
    },
    settings,
  );

/** Ends whoever works in the folder, or for this order elsewhere. */
async function clear({ order, folder, settings, held }: Search): Promise<undefined> {
  const { clock } = settings;
  const broods = [occupantOf(folder), { leader: undefined, nonce: order.nonce }];
  for (const brood of broods) await endLeftovers(brood, clock, { hopelessMs: PATIENCE_MS });
  if (!(await isReleasedWithin(RELEASE_MS, held, clock))) throw outOfReach(folder);
}

/** A worker of which it is not known that it is gone, and that can not be had. */
const unreached = (search: Search, error: unknown): AttemptHandle => ({
  report: Promise.resolve(broken(error)),
  peek: async () => undefined,
  stop: () => clear(search),
  wallClockLeftMs: search.order.wallClockMs,
});
