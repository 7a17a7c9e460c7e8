import { upstreamEdges } from '../core/edges.ts';
import { type Claims, conflict, jointClaims } from '../core/order/claims.ts';
import { pairReviews } from '../core/pairing.ts';
import { type Task, type TaskId, taskKey } from '../core/task.ts';

/** What follows from the edges and the declarations of a plan. */
export interface Proof {
  /**
   * Whether the two may run at the same time, in any order: neither needs the other, however indirectly, and neither may
   * change what the other reads or changes. An author and its paired reviewers count as one, since they start and end
   * together. Symmetric. False for unknown tasks and for one with itself; what a task does not declare counts as anything.
   */
  independent(a: TaskId, b: TaskId): boolean;
}

/** What starts and ends together. */
interface Unit {
  readonly claims: Claims;
  readonly upstreams: readonly string[];
}

/** Proves from `depends_on`, `reviews`, `reads`, `writes` and `must_produce`, closed tasks included. */
export function proofOf(tasks: readonly Task[]): Proof {
  const edges = upstreamEdges(tasks);
  const { authors, reviewers } = pairReviews(tasks);
  const byKey = new Map(tasks.map((task) => [taskKey(task.id), task]));
  const leaderOf = (key: string): string => authors.get(key) ?? key;
  const units = new Map<string, Unit>();
  for (const [key, task] of byKey) {
    if (authors.has(key)) continue;
    const paired = reviewers.get(key) ?? [];
    const claims = jointClaims(
      task,
      paired.flatMap((one) => byKey.get(one) ?? []),
    );
    const upstreams = [key, ...paired].flatMap((one) => edges.get(one) ?? []);
    units.set(key, { claims, upstreams: upstreams.map(({ upstream }) => leaderOf(upstream)) });
  }
  const needs = (from: string, to: string): boolean => {
    const seen = new Set([from]);
    const open = [from];
    for (let key = open.pop(); key !== undefined; key = open.pop()) {
      for (const upstream of units.get(key)?.upstreams ?? []) {
        if (upstream === to) return true;
        if (seen.has(upstream)) continue;
        seen.add(upstream);
        open.push(upstream);
      }
    }
    return false;
  };
  return {
    independent(a, b) {
      const [one, other] = [leaderOf(taskKey(a)), leaderOf(taskKey(b))];
      const [ours, theirs] = [units.get(one), units.get(other)];
      if (!ours || !theirs || one === other || conflict(ours.claims, theirs.claims)) return false;
      return !needs(one, other) && !needs(other, one);
    },
  };
}
