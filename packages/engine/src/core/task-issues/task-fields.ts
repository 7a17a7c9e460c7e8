/** The keys of a task in the order in which issues of one task are reported. */
export const TASK_FIELDS = [
  'id',
  'parallel_group',
  'created_at',
  'title',
  'description',
  'assigned_persona',
  'assigned_to',
  'depends_on',
  'reads',
  'writes',
  'must_produce',
  'reviews',
  'verify',
  'phase',
  'difficulty',
  'acceptance',
  'status',
  'attempts',
] as const;

type TaskField = (typeof TASK_FIELDS)[number];

/** A task of which nothing is known but that it is an object. */
export type RawTask = { readonly [field in TaskField]?: unknown };

/** Tells objects from lists, null and plain values. */
export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
