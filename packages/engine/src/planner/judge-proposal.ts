import { quoted, received } from '../core/task-issues/received.ts';
import { isObject } from '../core/task-issues/task-fields.ts';
import type { Plan } from '../plan/plan.ts';
import type { PlanIssue } from '../plan/plan-issue.ts';
import { PLAN_FIELDS } from '../plan/position.ts';
import type { PlanValidation } from '../plan/validate-plan.ts';
import { documentIn } from './document-in.ts';
import type { ProposalVerdict } from './proposal.ts';

export interface Judging {
  /** The person's own words: they stand in the plan whatever the proposal says. */
  readonly goal: string;
  /** The same gates as for a plan file. */
  readonly validate: (document: unknown) => PlanValidation;
}

/** What only happens to a task, so that a proposal can not say it: a task that is marked as done is never done. */
const HISTORY = ['status', 'attempts', 'created_at'] as const;

/** All that an agent may say of a plan as a whole. What comes into worktrees and what may be spent is for a person. */
const PROPOSED: ReadonlySet<string> = new Set(['$schema', 'goal', 'gate', 'tasks']);

/** What a proposed text is: a plan, a document with defects (all of them), or nothing to go by. */
export function judgeProposal(text: string, { goal, validate }: Judging): ProposalVerdict {
  const found = documentIn(text);
  if (!found.ok) return { kind: 'unreadable', detail: found.detail };
  const document = isObject(found.document) ? { ...found.document, goal } : found.document;
  const validation = validate(document);
  const issues = [
    ...(validation.ok ? [] : validation.issues),
    ...foreignKeys(document),
    ...historyIssues(document),
  ];
  if (!validation.ok || issues.length > 0) return { kind: 'refused', issues };
  return { kind: 'plan', plan: withoutHistory(validation.plan) };
}

/** Keys that a plan may have and a proposal may not. Those that no plan has are told by its validation. */
function* foreignKeys(document: unknown): Generator<PlanIssue> {
  const keys = isObject(document) ? Object.keys(document) : [];
  for (const key of keys)
    if (PLAN_FIELDS.includes(key) && !PROPOSED.has(key))
      yield {
        code: 'unknown-key',
        path: key,
        message: `a proposed plan has ${key}, which only a person may add`,
        fix: `Remove ${key}.`,
      };
  const own = keys.filter((key) => /^x-./su.test(key));
  const [first] = own;
  if (first === undefined) return;
  yield {
    code: 'unknown-key',
    path: '',
    message: `a proposed plan has ${own.length} keys of its own, the first ${quoted(first)}`,
    fix: 'Remove them; tasks may have such keys.',
  };
}

function* historyIssues(document: unknown): Generator<PlanIssue> {
  const { tasks } = Object(document) as { readonly tasks?: unknown };
  if (!Array.isArray(tasks)) return;
  for (const [index, task] of tasks.entries()) {
    if (!isObject(task)) continue;
    for (const key of HISTORY) {
      if (!Object.hasOwn(task, key)) continue;
      const value = Object.getOwnPropertyDescriptor(task, key)?.value;
      yield {
        code: 'invalid-value',
        path: `tasks[${index}].${key}`,
        message: `a proposed task has ${key} (${received(value)}), and nothing has happened to it yet`,
        fix: `Remove ${key}.`,
      };
    }
  }
}

/** The moment of checking is no part of a plan that is written down. */
const withoutHistory = (plan: Plan): Plan => ({
  ...plan,
  tasks: plan.tasks.map(({ created_at: _, ...task }) => task),
});
