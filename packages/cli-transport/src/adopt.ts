import type { AttemptHandle, WorkOrder } from '@atelier/engine';
import { spoolOf } from './attempt-folder.ts';
import { attemptHandle } from './attempt-handle.ts';
import { type AttemptMeta, livingSupervisor, readMeta } from './attempt-meta.ts';
import { endLeftovers } from './end-all.ts';
import type { Settings } from './options.ts';
import { readSpool } from './spool.ts';
import { readExit } from './supervisor.ts';
import { watchExit } from './watch-exit.ts';

/**
 * The worker that an earlier host started for this very attempt, if it runs, has ended or has replied.
 * Undefined otherwise; then nothing of it is left either, so that the task can be dispatched again.
 */
export async function adoptWorker(
  order: WorkOrder,
  settings: Settings,
): Promise<AttemptHandle | undefined> {
  const { clock, limits, agent, runDir } = settings;
  const folder = spoolOf(runDir, order.task.id, order.attempt);
  const meta = readMeta(folder);
  if (meta && belongsTo(meta, order)) {
    const leader = livingSupervisor(folder);
    const exited = leader ? watchExit(folder, leader, clock) : Promise.resolve();
    const replied = () => agent.replyIn(readSpool(folder, limits).output, order) !== undefined;
    if (leader || readExit(folder) || replied())
      return attemptHandle(
        { order, folder, leader, endAtMs: meta.deadlineMs, exited, adopted: true },
        settings,
      );
  }
  await endLeftovers({ leader: undefined, nonce: order.nonce }, clock);
  return undefined;
}

const belongsTo = (meta: AttemptMeta, { task, attempt, nonce }: WorkOrder): boolean =>
  meta.taskId === String(task.id) && meta.attempt === attempt && meta.nonce === nonce;
