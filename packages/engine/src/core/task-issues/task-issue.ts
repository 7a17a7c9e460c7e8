/** What can be wrong with a task before anything is dispatched. */
export type TaskIssueCode =
  | 'not-an-object'
  | 'missing-id'
  | 'invalid-id'
  | 'duplicate-id'
  | 'invalid-group'
  | 'invalid-created-at'
  | 'invalid-attempts'
  | 'wrong-type'
  | 'unknown-upstream'
  | 'self-dependency'
  | 'not-later'
  | 'cycle'
  | 'reviewer-persona'
  | 'reviewer-writes'
  | 'review-of-review';

/** One defect: who has it, where, why it is one, and the way out. Texts are safe for a terminal. */
export interface TaskIssue {
  readonly code: TaskIssueCode;
  /** Position in the list, from 0. */
  readonly row: number;
  /** The task's id as canonical text; undefined when it has none that could be named. */
  readonly taskId: string | undefined;
  /** The key at fault; empty when it is the row as a whole. */
  readonly field: string;
  /** Position within a list field, from 0. */
  readonly item?: number;
  readonly message: string;
  readonly fix: string;
}
