import { printable } from '@atelier/envelope';
import { EngineError } from './error.ts';
import { compareText } from './id-order.ts';
import type { Task } from './task.ts';
import type { TaskIssue } from './task-issues/task-issue.ts';
import { taskIssues } from './task-issues/task-issues.ts';

/** What a message lists before it only counts. The issues themselves are all in the error. */
const LISTED = 20;

/**
 * The tasks are unfit for dispatch. `NULL_PARALLEL_GROUP` when any live task has no usable wave, and then
 * `taskIds` are exactly those tasks; `INVALID_TASKS` otherwise.
 */
export class PreflightError extends EngineError {
  override readonly name: string = 'PreflightError';
  /** Every defect, by position. */
  readonly issues: readonly TaskIssue[];
  /** The offenders as canonical text, without repetition, by code point. */
  readonly taskIds: readonly string[];

  constructor(issues: readonly TaskIssue[]) {
    const groupless = issues.filter(({ code }) => code === 'invalid-group');
    const taskIds = offenders(groupless.length > 0 ? groupless : issues);
    if (groupless.length > 0) {
      super(
        'NULL_PARALLEL_GROUP',
        `no usable parallel_group: ${listed(taskIds.map((id) => printable(id, 60)))}${others(issues.length - groupless.length)}`,
        'Give every task that is to run an integer parallel_group of at least 1.',
      );
    } else {
      super(
        'INVALID_TASKS',
        `tasks refused: ${listed(issues.map(({ message }) => message))}`,
        'Each issue carries its fix; nothing was dispatched.',
      );
    }
    this.issues = issues;
    this.taskIds = taskIds;
  }
}

/** Asserts what every other part of the engine assumes of its tasks. Throws one {@link PreflightError}. */
export function preflight(tasks: readonly Task[]): void {
  const issues = taskIssues(tasks);
  if (issues.length > 0) throw new PreflightError(issues);
}

const offenders = (issues: readonly TaskIssue[]): string[] =>
  [...new Set(issues.flatMap(({ taskId }) => taskId ?? []))].sort(compareText);

function listed(texts: readonly string[]): string {
  const rest = texts.length - LISTED;
  return [...texts.slice(0, LISTED), ...(rest > 0 ? [`${rest} more`] : [])].join('; ');
}

const others = (count: number): string => (count > 0 ? `; and ${count} further defects` : '');
