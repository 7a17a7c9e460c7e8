import { doomed } from '../core/doomed.ts';
import { upstreamEdges } from '../core/edges.ts';
import { pairReviews } from '../core/pairing.ts';
import { checkPolicy } from '../core/policy.ts';
import { schedule } from '../core/schedule.ts';
import { isClosed, type Task, type TaskId, taskKey, workerOf } from '../core/task.ts';
import type { Plan } from './plan.ts';
import { type Flow, flowOf } from './preview-flow.ts';
import { overlapWarnings } from './preview-overlaps.ts';
import { taskWarnings } from './preview-task-warnings.ts';
import { earlyVerifies } from './preview-verify.ts';
import type { PreviewWarning } from './preview-warning.ts';

/** One task as it stands in its wave. What the `pipeline` schedule makes of it is not told of a reviewer. */
export interface PreviewTask extends Partial<Flow> {
  readonly id: TaskId;
  readonly title: string;
  readonly worker: string | null;
  /** Everything it waits for: stated, read, or reviewed. Canonical ids. */
  readonly depends_on: readonly string[];
  /** Those of them that it waits for only because it reads what they write; absent where there are none. */
  readonly reads_from?: readonly string[];
  /** Null when the plan does not say; empty for a read-only task. */
  readonly writes: readonly string[] | null;
  /** Of a reviewer: whose work it looks at, within the wave of that task. */
  readonly reviews?: string;
}

export interface PreviewWave {
  /** Position, from 0. */
  readonly wave: number;
  readonly group: number;
  readonly tasks: readonly PreviewTask[];
}

/** What a run of the plan would do. Wire format; grows by optional keys within a version. */
export interface PlanPreview {
  readonly version: 1;
  readonly goal: string;
  readonly maxAttempts: number;
  /** What a run goes by. */
  readonly schedule?: 'parallel' | 'pipeline';
  readonly waves: readonly PreviewWave[];
  /** Tasks that are already over, and tasks still to run. */
  readonly closed: number;
  readonly live: number;
  /** After so many dispatches at the latest every task has ended. Nothing is dispatched of what is lost already. */
  readonly maxDispatches: number;
  readonly warnings: readonly PreviewWarning[];
}

export interface PreviewOptions {
  /** Dispatches per task; five when absent. */
  readonly maxAttempts?: number;
  /** States that more than five attempts are meant. */
  readonly raiseCaps?: boolean;
  /** In place of what the plan asks for. */
  readonly schedule?: 'parallel' | 'pipeline';
}

/** The waves of a plan and the bound on what they can cost. Throws `INVALID_POLICY` for attempts out of range. */
export function previewPlan(plan: Plan, options: PreviewOptions = {}): PlanPreview {
  const { maxAttempts } = checkPolicy(options);
  const edges = upstreamEdges(plan.tasks);
  const pairing = pairReviews(plan.tasks);
  const waves = schedule(plan.tasks, pairing);
  const live = waves.flatMap(({ tasks }) => tasks);
  const byKey = new Map(plan.tasks.map((task) => [taskKey(task.id), task]));
  const lost = doomed(plan.tasks, { maxAttempts, edges, pairing });
  const attemptsLeft = ({ id, attempts }: Task) =>
    lost.has(taskKey(id)) ? 0 : maxAttempts - (attempts ?? 0);
  const named = options.schedule ?? plan.schedule ?? 'parallel';
  const flow = flowOf(waves, { edges, pairing });
  const row = (task: Task): PreviewTask => {
    const key = taskKey(task.id);
    const reviews = pairing.authors.get(key);
    const upstreams = edges.get(key) ?? [];
    const read = upstreams.filter(({ kind }) => kind === 'reads').map(({ upstream }) => upstream);
    return {
      id: task.id,
      title: task.title ?? '',
      worker: workerOf(task),
      depends_on: upstreams.map(({ upstream }) => upstream),
      ...(read.length > 0 ? { reads_from: read } : {}),
      writes: reviews === undefined ? (task.writes ?? null) : [],
      ...(reviews === undefined ? {} : { reviews }),
      ...flow.get(key),
    };
  };
  return {
    version: 1,
    goal: plan.goal,
    maxAttempts,
    schedule: named,
    waves: waves.map(({ group, tasks }, wave) => ({ wave, group, tasks: tasks.map(row) })),
    closed: plan.tasks.filter(isClosed).length,
    live: live.length,
    maxDispatches: live.reduce((sum, task) => sum + attemptsLeft(task), 0),
    warnings: [
      ...live.flatMap((task) => [...taskWarnings(task, { maxAttempts, pairing, byKey, lost })]),
      ...overlapWarnings(waves, { pairing, schedule: named }),
      ...(named === 'pipeline' ? earlyVerifies(waves, flow) : []),
    ],
  };
}
