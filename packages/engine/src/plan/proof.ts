import { upstreamEdges } from '../core/edges.ts';
import { type Claims, claimsOf, conflict } from '../core/order/claims.ts';
import { pairReviews } from '../core/pairing.ts';
import { type Task, type TaskId, taskKey } from '../core/task.ts';

/** What follows from the edges and the declarations of a plan. */
export interface Proof {
  /**
   * Whether the two may run at the same time, in any order: neither needs the other, however indirectly, and neither may
   * change what the other reads or changes. Symmetric. False for unknown tasks and for one with itself; what a task does
   * not declare counts as anything.
   */
  independent(a: TaskId, b: TaskId): boolean;
}

/** Proves from `depends_on`, `reviews`, `reads`, `writes` and `must_produce`, closed tasks included. */
export function proofOf(tasks: readonly Task[]): Proof {
  const edges = upstreamEdges(tasks);
  const { authors } = pairReviews(tasks);
  const claims = new Map<string, Claims>(
    tasks.map((task) => {
      const key = taskKey(task.id);
      return [key, claimsOf(task, { isPaired: authors.has(key) })];
    }),
  );
  const needs = (from: string, to: string): boolean => {
    const seen = new Set([from]);
    const open = [from];
    for (let key = open.pop(); key !== undefined; key = open.pop()) {
      for (const { upstream } of edges.get(key) ?? []) {
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
      const [one, other] = [taskKey(a), taskKey(b)];
      const [ours, theirs] = [claims.get(one), claims.get(other)];
      if (!ours || !theirs || one === other || conflict(ours, theirs)) return false;
      return !needs(one, other) && !needs(other, one);
    },
  };
}
