import * as v from 'valibot';
import { isObject } from '../core/task-issues/task-fields.ts';

/** Every message is what the value must be, so that one sentence serves all of them. */
const text = v.pipe(
  v.string('a non-empty text'),
  v.check((value) => value.trim() !== '', 'a non-empty text'),
);

const count = 'an integer of at least 1';

const amount = 'a number above 0';

const paths = v.array(text, 'a list of paths and patterns');

const commands = v.array(text, 'a list of commands');

const planShape = v.object({
  $schema: v.optional(text),
  goal: text,
  gate: v.optional(text),
  worktree: v.optional(
    v.pipe(
      v.custom<object>(isObject, 'an object with copy, link, setup, or some of them'),
      v.object({ copy: v.optional(paths), link: v.optional(paths), setup: v.optional(commands) }),
    ),
  ),
  schedule: v.optional(v.picklist(['parallel', 'pipeline'], 'parallel or pipeline')),
  budget: v.optional(
    // valibot's object takes lists, too.
    v.pipe(
      v.custom<object>(isObject, 'an object with tokens, usd, or both'),
      v.object({
        tokens: v.optional(v.pipe(v.number(count), v.safeInteger(count), v.minValue(1, count))),
        usd: v.optional(v.pipe(v.number(amount), v.finite(amount), v.gtValue(0, amount))),
      }),
    ),
  ),
  tasks: v.array(v.unknown(), 'a list of tasks'),
});

/** What pre-flight does not look at, because no dispatch depends on it. */
const taskShape = v.object({
  title: text,
  description: text,
  assigned_persona: v.nullish(text),
  assigned_to: v.nullish(text),
  verify: v.optional(text),
  phase: v.optional(text),
  difficulty: v.optional(text),
  acceptance: v.optional(text),
  status: v.nullish(
    v.picklist(
      ['pending', 'assigned', 'in-progress', 'complete', 'abandoned', 'held'],
      'pending, assigned, in-progress, complete, abandoned or held',
    ),
  ),
});

/** A value that is not what its key asks for. */
export interface Misshape {
  readonly keys: readonly string[];
  readonly kind: 'missing' | 'type' | 'value';
  readonly input: unknown;
  /** What it must be, as a noun phrase. */
  readonly expected: string;
}

export const planMisshapes = (plan: object): Misshape[] => misshapes(planShape, plan);

export const taskMisshapes = (task: object): Misshape[] => misshapes(taskShape, task);

function misshapes(shape: typeof planShape | typeof taskShape, object: object): Misshape[] {
  const { issues = [] } = v.safeParse<typeof planShape | typeof taskShape>(shape, object, {
    abortPipeEarly: true,
  });
  return issues.map((issue) => ({
    keys: (issue.path ?? []).map(({ key }) => String(key)),
    kind: kindOf(issue),
    input: issue.input,
    expected: issue.message,
  }));
}

function kindOf(issue: v.BaseIssue<unknown>): Misshape['kind'] {
  if (issue.input === undefined) return 'missing';
  return issue.kind === 'schema' && issue.type !== 'picklist' ? 'type' : 'value';
}
