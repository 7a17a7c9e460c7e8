import { type Task, type TaskId, taskKey } from '@atelier/engine';
import { HostError } from '../host-error.ts';

/** Reviewers by author, as ids of tasks: one, or several that review one after the other. */
export type ReviewPairing = Readonly<Record<string, TaskId | readonly TaskId[]>>;

/**
 * The tasks, paired as the map says and not as they say themselves. A reviewer that loses its pair still waits for
 * the task it names. Throws `REVIEW_PAIRING` for a reviewer of two authors, or a name that no task has.
 */
export function pairedBy(tasks: readonly Task[], pairing: ReviewPairing): Task[] {
  const known = new Map(tasks.map((task) => [taskKey(task.id), task]));
  const authors = new Map<string, TaskId>();
  for (const [author, reviewers] of Object.entries(pairing)) {
    for (const reviewer of [reviewers].flat()) {
      const key = taskKey(reviewer);
      const unknown = [author, key].find((name) => !known.has(name));
      if (unknown !== undefined)
        throw refused(
          `reviewPairing names ${unknown}, which is no task`,
          'Name tasks by their ids.',
        );
      if (authors.has(key))
        throw refused(
          `reviewPairing has ${key} review two tasks`,
          'Give each author a reviewer of its own.',
        );
      authors.set(key, known.get(author)?.id ?? author);
    }
  }
  return tasks.map((task) => {
    const { reviews, ...rest } = task;
    const author = authors.get(taskKey(task.id));
    if (author !== undefined) return { ...rest, reviews: author };
    if (reviews === undefined || reviews === null) return task;
    return { ...rest, depends_on: [...(task.depends_on ?? []), reviews] };
  });
}

const refused = (message: string, hint: string): HostError =>
  new HostError('REVIEW_PAIRING', message, hint);
