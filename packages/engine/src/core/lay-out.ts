import { doomDependents } from './doom.ts';
import { upstreamEdges } from './edges.ts';
import { type Pairing, pairReviews } from './pairing.ts';
import { schedule } from './schedule.ts';
import { type RunState, reviewersOf, type TaskPhase, type TaskState } from './state.ts';
import { isClosed, type Task, taskKey } from './task.ts';

/**
 * Lays the plan out: tasks, waves, who waits for whom. What a task of the same id has been through in this
 * run is kept, so that a changed plan repeats nothing. A task that runs must be of the first wave that opens.
 */
export function layOut(state: RunState, tasks: readonly Task[]): void {
  const before = new Map([...state.dropped, ...state.tasks]);
  const edges = upstreamEdges(tasks);
  state.tasks.clear();
  state.dropped.clear();
  state.dependents.clear();
  state.lostUpstream.clear();
  for (const task of tasks) {
    const key = taskKey(task.id);
    const upstreams = (edges.get(key) ?? []).map(({ upstream }) => upstream);
    // A literal that begins with a spread and grows would give each task a hidden class of its own.
    const own = Object.assign({}, stateOf(task, before.get(key)), { task, key, upstreams });
    state.tasks.set(key, own);
    for (const upstream of upstreams) {
      const known = state.dependents.get(upstream);
      if (known) known.push(key);
      else state.dependents.set(upstream, [key]);
    }
  }
  for (const [key, task] of before) if (!state.tasks.has(key)) state.dropped.set(key, task);
  const earlier = state.pairing;
  state.pairing = pairReviews(tasks);
  reviewAnew(state, earlier);
  const waves = schedule(tasks, state.pairing).map(({ group, tasks: wave }) => ({
    group,
    keys: wave.map((task) => taskKey(task.id)),
  }));
  state.waves = state.policy.schedule === 'pipeline' ? asOne(waves) : waves;
  delete state.wave;
  state.nextWave = 0;
  const live = state.waves.reduce((sum, { keys }) => sum + keys.length, 0);
  state.dispatchBound = state.dispatches + live * state.policy.maxAttempts;
  for (const { key, phase } of state.tasks.values())
    if (phase === 'abandoned' || phase === 'held') doomDependents(state, key);
}

/** Without barriers there is one wave; it goes by the name of its first group. */
const asOne = (waves: RunState['waves']): RunState['waves'] =>
  waves.slice(0, 1).map(({ group }) => ({ group, keys: waves.flatMap(({ keys }) => keys) }));

/** What a row itself says counts, unless this run has had an attempt at the task. */
function stateOf(task: Task, before: TaskState | undefined): Pick<TaskState, 'phase' | 'attempts'> {
  const fresh = freshState(task);
  if (!before) return fresh;
  const closedByItsRow = isClosed(before.task) && before.phase === freshState(before.task).phase;
  return closedByItsRow || (before.phase === 'pending' && isClosed(task))
    ? { ...fresh, attempts: Math.max(fresh.attempts, before.attempts) }
    : before;
}

const freshState = ({ status, attempts }: Task): Pick<TaskState, 'phase' | 'attempts'> => ({
  phase: phaseOf(status),
  attempts: attempts ?? 0,
});

const phaseOf = (status: Task['status']): TaskPhase =>
  status === 'complete' || status === 'abandoned' || status === 'held' ? status : 'pending';

/**
 * Approvals are of the pairs that gave them: under a changed plan, who reviews somebody else now has approved nothing
 * yet, and checked work waits for whoever has to approve it now.
 */
function reviewAnew(state: RunState, { authors: before }: Pairing): void {
  for (const [reviewer, author] of state.pairing.authors) {
    const task = state.tasks.get(reviewer);
    if (task?.phase !== 'accepted' || before.get(reviewer) === author) continue;
    task.phase = 'pending';
    delete task.reply;
  }
  for (const task of state.tasks.values()) {
    if (task.phase !== 'accepted' && task.phase !== 'reviewing') continue;
    if (state.pairing.authors.has(task.key)) continue;
    const approved = reviewersOf(state, task).every(({ phase }) => phase === 'accepted');
    task.phase = approved ? 'accepted' : 'reviewing';
  }
}
