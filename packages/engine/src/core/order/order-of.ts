import { authorOf, type RunState, reviewersOf, type TaskState } from '../state.ts';
import { jointClaims } from './claims.ts';
import { endIn, type Precedence, precedence, type Unit } from './precedence.ts';
import { hasEnded, throughEnded } from './through-ended.ts';

/** Who waits for whom among tasks that are given in dispatch order; what has ended is waited for no more. */
export function orderOf(state: RunState, keys: readonly string[]): Precedence {
  const tasks = keys.flatMap((key) => state.tasks.get(key) ?? []);
  const upstreamsOf = throughEnded(state);
  const units = tasks
    .filter((task) => !authorOf(state, task))
    .map((task) => unitOf(state, task, upstreamsOf));
  const order = precedence(units);
  for (const task of tasks) if (hasEnded(task)) endIn(order, task.key);
  return order;
}

/** Who is reviewed waits for whatever its reviewers need as well: they run inside it. */
function unitOf(
  state: RunState,
  author: TaskState,
  upstreamsOf: (task: TaskState) => readonly string[],
): Unit {
  const reviewers = reviewersOf(state, author);
  return {
    members: [author, ...reviewers].map(({ key }) => key),
    upstreams: [author, ...reviewers].flatMap(upstreamsOf),
    group: author.task.parallel_group ?? 0,
    claims: jointClaims(
      author.task,
      reviewers.map(({ task }) => task),
    ),
  };
}
