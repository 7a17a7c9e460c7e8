import { printable } from '@atelier/envelope';
import type { Pairing } from '../core/pairing.ts';
import { isClosed, type Task, taskKey } from '../core/task.ts';
import type { PreviewWarning } from './preview-warning.ts';

interface TaskWarningsOptions {
  readonly maxAttempts: number;
  readonly pairing: Pairing;
  readonly byKey: ReadonlyMap<string, Task>;
  /** Who is lost with whom, as `doomed` has it. */
  readonly lost: ReadonlyMap<string, string>;
}

/** What is worth a look at one live task. */
export function* taskWarnings(
  task: Task,
  { maxAttempts, pairing, byKey, lost }: TaskWarningsOptions,
): Generator<PreviewWarning> {
  const taskId = taskKey(task.id);
  if (!task.writes && !pairing.authors.has(taskId)) {
    const message = `${named(taskId)} does not say what it writes: it may change any file that is not protected`;
    yield { code: 'no-writes', taskId, message };
  }
  const cause = lost.get(taskId);
  if (cause === taskId) {
    const message = `${named(taskId)} has spent its ${maxAttempts} attempts: it will be abandoned without a dispatch`;
    yield { code: 'budget-spent', taskId, message };
  } else if (cause !== undefined) {
    const row = byKey.get(cause);
    const why = row && isClosed(row) ? `is ${row.status}` : 'has no attempt left';
    const message = `${named(taskId)} can not be done without ${named(cause)}, which ${why}: it will be abandoned without a dispatch`;
    yield { code: 'cascade', taskId, message };
  }
}

const named = (key: string): string => `task "${printable(key, 60)}"`;
