import type { TaskIssueCode } from '../core/task-issues/task-issue.ts';

/** What can be wrong with a plan: everything that can be with its tasks, and what only a document can have. */
export type PlanIssueCode =
  | TaskIssueCode
  | 'missing-key'
  | 'invalid-value'
  | 'unknown-key'
  | 'invalid-path'
  | 'alias-conflict'
  | 'empty-plan'
  | 'over-cap'
  | 'unknown-persona'
  | 'write-contention'
  | 'unmet-read'
  | 'unreadable';

/** One defect: where it is, whose it is, why it is one, and the way out. Texts are safe for a terminal. */
export interface PlanIssue {
  readonly code: PlanIssueCode;
  /** Such as `tasks[3].depends_on[0]`; empty for the document as a whole. */
  readonly path: string;
  /** The offending task as canonical text, where there is one that has a name. */
  readonly taskId?: string;
  readonly message: string;
  readonly fix: string;
}
