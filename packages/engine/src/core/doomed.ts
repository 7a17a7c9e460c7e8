import { doomDependents } from './doom.ts';
import { type UpstreamEdge, upstreamEdges } from './edges.ts';
import { type Pairing, pairReviews } from './pairing.ts';
import { isClosed, type Task, taskKey } from './task.ts';

/** What follows from the tasks, where it is known already. */
interface DoomedOptions {
  readonly maxAttempts: number;
  readonly edges?: ReadonlyMap<string, readonly UpstreamEdge[]>;
  readonly pairing?: Pairing;
}

/**
 * The live tasks that a run of a plan will abandon without a dispatch, by canonical id, each with the task whose loss
 * takes it along: itself where its attempts are spent, or else a row that is abandoned or held, or a task without an
 * attempt left, that it needs however indirectly or that was to review it. Linear in tasks and edges.
 */
export function doomed(
  tasks: readonly Task[],
  { maxAttempts, edges = upstreamEdges(tasks), pairing = pairReviews(tasks) }: DoomedOptions,
): ReadonlyMap<string, string> {
  const dependents = new Map<string, string[]>();
  for (const [key, upstreams] of edges)
    for (const { upstream } of upstreams) {
      const known = dependents.get(upstream);
      if (known) known.push(key);
      else dependents.set(upstream, [key]);
    }
  const lostUpstream = new Map<string, string>();
  const state = { dependents, pairing, lostUpstream };
  for (const { id, status } of tasks)
    if (status === 'abandoned' || status === 'held') doomDependents(state, taskKey(id));
  const live = tasks.filter((task) => !isClosed(task));
  for (const { id, attempts } of live) {
    if ((attempts ?? 0) < maxAttempts) continue;
    const key = taskKey(id);
    lostUpstream.set(key, key);
    doomDependents(state, key);
    const author = pairing.authors.get(key);
    if (author === undefined || lostUpstream.has(author)) continue;
    lostUpstream.set(author, key);
    doomDependents(state, author);
  }
  const found = new Map<string, string>();
  for (const { id } of live) {
    const lost = lostUpstream.get(taskKey(id));
    if (lost !== undefined) found.set(taskKey(id), lost);
  }
  return found;
}
