import type { PlanIssue, PlanIssueCode } from './plan-issue.ts';
import { type Position, positionText } from './position.ts';

/** An issue with its place still in steps, so that it can be sorted. */
export interface Finding {
  readonly code: PlanIssueCode;
  readonly at: Position;
  readonly taskId?: string | undefined;
  readonly message: string;
  readonly fix: string;
}

export function toIssue({ code, at, taskId, message, fix }: Finding): PlanIssue {
  return {
    code,
    path: positionText(at),
    ...(taskId === undefined ? {} : { taskId }),
    message,
    fix,
  };
}

/** Whom the findings about one object are about, and where it stands in the document. */
export interface Subject {
  readonly at: Position;
  readonly taskId?: string | undefined;
  /** How messages name it. */
  readonly label: string;
}
