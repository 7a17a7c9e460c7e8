/** A plan's own name for a task. Two ids are the same when their texts are: `7` and `'7'`. */
export type TaskId = string | number;

/** One row of a plan. Wire format: keys as plan files and stores spell them; further keys travel along untouched. */
export interface Task {
  readonly id: TaskId;
  /** The wave, an integer of at least 1; refused at pre-flight otherwise. Closed rows are exempt. */
  readonly parallel_group?: number | null;
  /** ISO 8601, UTC where no zone is given; absent means the moment the run starts. */
  readonly created_at?: string | null;
  /** `complete`, `abandoned` and `held` are closed; anything else is live. */
  readonly status?: string | null;
  /** Dispatches already charged by earlier runs. */
  readonly attempts?: number | null;
  readonly title?: string;
  readonly description?: string;
  readonly assigned_persona?: string | null;
  readonly assigned_to?: string | null;
  readonly depends_on?: readonly TaskId[] | null;
  readonly reads?: readonly string[] | null;
  readonly writes?: readonly string[] | null;
  readonly must_produce?: readonly string[] | null;
  readonly reviews?: TaskId | null;
  readonly verify?: string;
  readonly phase?: string;
  readonly difficulty?: string;
  readonly acceptance?: string;
  readonly abandon_category?: string | null;
  readonly [key: string]: unknown;
}

/** The canonical text of an id: what replies, edges and maps compare by. */
export const taskKey = (id: TaskId): string => String(id);

const CLOSED: ReadonlySet<unknown> = new Set(['complete', 'abandoned', 'held']);

/** True for a row that no run dispatches again by itself. */
export const isClosed = (task: Task): boolean => CLOSED.has(task.status);

/** Who the task is assigned to, as escalations name them. */
export const workerOf = (task: Task): string | null =>
  task.assigned_persona ?? task.assigned_to ?? null;
