import { type Task, taskKey } from '@atelier/engine';
import type { Store } from '@atelier/store-sqlite';
import { recordedOf } from '../compose/recorded.ts';

/** Merged work of an earlier run, under the key that it was charged with. */
export interface EarlierWork {
  readonly runId: string;
  readonly contentKey: string;
  /** The commit that it was carved from; undefined where its evidence does not say. */
  readonly base: string | undefined;
  /** Its task as the run had it; undefined where its start can not be read. */
  readonly task: Task | undefined;
}

/**
 * The latest merged attempt of each task, by canonical id, over all runs but `except`. Reads every run once, and the
 * work itself only when it is asked for.
 */
export function earlierWork(
  store: Store,
  except?: string,
): (key: string) => Promise<EarlierWork | undefined> {
  const latest = new Map<string, { readonly runId: string; readonly contentKey: string }>();
  for (const { run_id: runId } of store.runs()) {
    if (runId === except) continue;
    for (const { task_key, content_key, ending } of store.attempts(runId))
      if (ending === 'done' && content_key !== null)
        latest.set(task_key, { runId, contentKey: content_key });
  }
  const plans = new Map<string, Promise<ReadonlyMap<string, Task>>>();
  const planOf = (runId: string): Promise<ReadonlyMap<string, Task>> => {
    const plan =
      plans.get(runId) ??
      recordedOf(store, runId).then(
        ({ tasks }) => new Map(tasks.map((task) => [taskKey(task.id), task])),
        () => new Map(),
      );
    plans.set(runId, plan);
    return plan;
  };
  return async (key) => {
    const found = latest.get(key);
    if (!found) return undefined;
    const task = (await planOf(found.runId)).get(key);
    const work = store.merged(found.contentKey).find(({ runId }) => runId === found.runId);
    const { base } = Object(work?.evidence) as { readonly base?: unknown };
    return { ...found, task, base: typeof base === 'string' ? base : undefined };
  };
}
