import { printable } from '@atelier/envelope';
import { compareText } from '../core/id-order.ts';
import { TASK_FIELDS } from '../core/task-issues/task-fields.ts';

/** The keys of a plan in the order in which its issues are reported. */
export const PLAN_FIELDS: readonly string[] = [
  '$schema',
  'goal',
  'gate',
  'worktree',
  'schedule',
  'budget',
  'tasks',
];

export const WORKTREE_FIELDS: readonly string[] = ['copy', 'link', 'setup'];

export const BUDGET_FIELDS: readonly string[] = ['tokens', 'usd'];

/** A place in the document: keys and indices from the top. */
export type Position = readonly (string | number)[];

const RANK: ReadonlyMap<string, number> = new Map(
  [...PLAN_FIELDS, ...WORKTREE_FIELDS, ...BUDGET_FIELDS, ...TASK_FIELDS].map((field, rank) => [
    field,
    rank,
  ]),
);

/** Indices by value, keys as the format lists them and unknown ones last, a whole before its parts. */
export function comparePositions(a: Position, b: Position): number {
  for (const [depth, x] of a.entries()) {
    const y = b[depth];
    if (y === undefined) return 1;
    const order = compareSteps(x, y);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareSteps(x: string | number, y: string | number): number {
  if (typeof x === 'number' && typeof y === 'number') return x - y;
  const [left, right] = [String(x), String(y)];
  const last = RANK.size;
  return (RANK.get(left) ?? last) - (RANK.get(right) ?? last) || compareText(left, right);
}

/** The place as text: `tasks[3].depends_on[0]`. Keys that are no plain names are quoted. */
export function positionText(position: Position): string {
  return position.map(stepText).join('').replace(/^\./u, '');
}

function stepText(step: string | number): string {
  if (typeof step === 'number') return `[${step}]`;
  return /^\w[\w-]{0,59}$/u.test(step) ? `.${step}` : `["${printable(step, 60)}"]`;
}
