import { compareIds } from './id-order.ts';
import { isClosed, type Task, taskKey } from './task.ts';

/**
 * Who reviews whom, by canonical id. A pair is two live rows: a reviewer runs inside the acceptance of its author,
 * in the author's wave, and closes with it. One that is left alone is a task like any other.
 */
export interface Pairing {
  /** By author, in the order of the reviewers' ids: one reviews after the other. */
  readonly reviewers: ReadonlyMap<string, readonly string[]>;
  readonly authors: ReadonlyMap<string, string>;
}

export const NO_PAIRS: Pairing = { reviewers: new Map(), authors: new Map() };

export function pairReviews(tasks: readonly Task[]): Pairing {
  const live = new Map(
    tasks.filter((task) => !isClosed(task)).map((task) => [taskKey(task.id), task]),
  );
  const authors = new Map<string, string>();
  const reviewers = new Map<string, string[]>();
  for (const { id, reviews } of [...live.values()].sort((a, b) => compareIds(a.id, b.id))) {
    if (reviews === undefined || reviews === null) continue;
    const author = taskKey(reviews);
    if (!live.has(author)) continue;
    authors.set(taskKey(id), author);
    const known = reviewers.get(author);
    if (known) known.push(taskKey(id));
    else reviewers.set(author, [taskKey(id)]);
  }
  return { reviewers, authors };
}
