import type { Store } from '@atelier/store-sqlite';

/** Whether a run had a task of that id and that title: ids such as `docs` name other work in other plans. */
export const isSameTask = (
  store: Pick<Store, 'tasks'>,
  runId: string | undefined,
  { key, title }: { readonly key: string; readonly title: string | undefined },
): boolean =>
  runId !== undefined &&
  store
    .tasks(runId)
    .some((row) => row.task_key === key && (row.title ?? undefined) === (title ?? undefined));
