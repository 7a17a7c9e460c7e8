import { endIn, isFree, type Precedence } from '../core/order/precedence.ts';
import type { TaskId } from '../core/task.ts';
import type { Wait } from './held-work.ts';

/** A wave of tasks, as it was opened. */
export interface OpenedWave {
  readonly at: number;
  /** Until when every worker had something to do. */
  readonly busyUntil: number;
  readonly tasks: readonly { readonly taskId: TaskId; readonly key: string }[];
}

/** What a merge takes anyhow. */
const WORTH_TELLING_MS = 1000;

/**
 * By how much each task could have been ahead of its wave: from when everything that it has to wait for could have
 * ended and a worker had nothing to do, to when its wave was opened. Tasks that could
 * not, or by less than a second, are left out.
 */
export function headStarts(
  waves: readonly OpenedWave[],
  order: Precedence,
  ends: readonly { readonly key: string; readonly at: number }[],
): Wait[] {
  const start = waves[0]?.at ?? 0;
  const freeAt = new Map<string, number>();
  for (const { tasks } of waves)
    for (const { key } of tasks) if (isFree(order, key)) freeAt.set(key, start);
  for (const { key, at } of [...ends].sort((a, b) => a.at - b.at))
    for (const freed of endIn(order, key)) freeAt.set(freed, at);
  return waves.flatMap(({ at, busyUntil, tasks }) =>
    tasks.flatMap(({ taskId, key }) => {
      const ms = at - Math.max(start, busyUntil, freeAt.get(key) ?? at);
      return ms >= WORTH_TELLING_MS ? [{ taskId, ms }] : [];
    }),
  );
}
