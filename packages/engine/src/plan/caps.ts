import { placesOf, placesOfName } from '../core/places.ts';
import type { Row } from '../core/task-issues/row.ts';
import { isObject, type RawTask } from '../core/task-issues/task-fields.ts';
import type { Finding, Subject } from './finding.ts';

/** The most that a plan may hold. Each is a number of at least 0. */
export interface PlanCaps {
  readonly tasks: number;
  /** Different `parallel_group`s of tasks that are to run. */
  readonly waves: number;
  /** Tasks that are to run in one `parallel_group`. */
  readonly width: number;
  /** UTF-8 bytes of a description. */
  readonly descriptionBytes: number;
  /** Code points of a title. */
  readonly titleLength: number;
  /** Entries in each of `reads`, `writes` and `must_produce`, and of the worktree's `copy` and `link`. */
  readonly paths: number;
  /**
   * Entries of `reads`, `writes` and `must_produce` of all tasks together. An entry of `writes` whose brackets are
   * spelled out counts once for each of its spellings.
   */
  readonly pathsInAll: number;
  /**
   * Entries of all `depends_on`, and with them the pairs of a task that reads a path and one of an earlier
   * `parallel_group` that writes it.
   */
  readonly impliedEdges: number;
}

/** As many waves as tasks, because a chain has one for each. */
export const PLAN_CAPS: PlanCaps = {
  tasks: 100_000,
  waves: 100_000,
  width: 100_000,
  descriptionBytes: 65_536,
  titleLength: 1_000,
  paths: 10_000,
  pathsInAll: 1_000_000,
  impliedEdges: 1_000_000,
};

const TASK_LISTS = ['reads', 'writes', 'must_produce'] as const;

const WORKTREE_LISTS = ['copy', 'link'] as const;

/** Texts and lists of one task that are too long. */
export function* taskCapFindings(
  task: RawTask,
  { at, taskId, label }: Subject,
  caps: PlanCaps,
): Generator<Finding> {
  const { title, description } = task;
  if (typeof title === 'string' && isLonger(title, caps.titleLength)) {
    const message = `the title of ${label} is longer than ${caps.titleLength} characters`;
    const fix = 'Shorten it; what the worker is to know belongs into the description.';
    yield { code: 'over-cap', at: [...at, 'title'], taskId, message, fix };
  }
  if (typeof description === 'string' && isLarger(description, caps.descriptionBytes)) {
    const message = `the description of ${label} is larger than ${caps.descriptionBytes} bytes`;
    const fix = 'Shorten it, or put the text into a file of the repository that the task reads.';
    yield { code: 'over-cap', at: [...at, 'description'], taskId, message, fix };
  }
  const fix = 'Name the folder that holds them, or split the task.';
  yield* listFindings(task, TASK_LISTS, { at, taskId, label, caps, fix });
}

/** Lists of the plan's worktree that are too long. */
export const worktreeCapFindings = (
  worktree: object,
  subject: Subject,
  caps: PlanCaps,
): Generator<Finding> =>
  listFindings(worktree, WORKTREE_LISTS, {
    ...subject,
    caps,
    fix: 'Name the folder that holds them.',
  });

interface ListOptions extends Subject {
  readonly caps: PlanCaps;
  readonly fix: string;
}

function* listFindings(
  lists: object,
  fields: readonly string[],
  { at, taskId, label, caps, fix }: ListOptions,
): Generator<Finding> {
  for (const field of fields) {
    const { [field]: list } = lists as { readonly [field: string]: unknown };
    if (!isOver(list, caps)) continue;
    const message = `${field} of ${label} has ${list.length} entries, more than ${caps.paths}`;
    yield { code: 'over-cap', at: [...at, field], taskId, message, fix };
  }
}

/**
 * Too many tasks, or too much in their lists together: told by lengths alone, before anything is made of an entry, and
 * last by what brackets spell out, which is counted up to the cap and no further.
 */
export function* totalFindings(tasks: readonly unknown[], caps: PlanCaps): Generator<Finding> {
  if (tasks.length > caps.tasks) {
    yield tooMany(`${tasks.length} tasks`, caps.tasks);
    return;
  }
  const [edges, paths] = [entriesIn(tasks, ['depends_on']), entriesIn(tasks, TASK_LISTS)];
  if (edges > caps.impliedEdges) yield tooMany(`${edges} entries of depends_on`, caps.impliedEdges);
  if (paths > caps.pathsInAll)
    yield tooMany(`${paths} paths in reads, writes and must_produce`, caps.pathsInAll);
  else if (spellsMore(tasks, caps.pathsInAll - paths, caps))
    yield tooMany(`${paths} paths, and with what their brackets spell out`, caps.pathsInAll);
}

/** Whether entries are spelled out in more than so many places beyond one for each. */
function spellsMore(tasks: readonly unknown[], most: number, caps: PlanCaps): boolean {
  let more = 0;
  for (const task of tasks) {
    const raw: RawTask = isObject(task) ? task : {};
    for (const field of TASK_LISTS) {
      const { [field]: list } = raw;
      const entries: readonly unknown[] = Array.isArray(list) && !isOver(list, caps) ? list : [];
      const placesIn = field === 'writes' ? placesOf : placesOfName;
      for (const entry of entries) {
        if (typeof entry !== 'string' || !entry.includes('[')) continue;
        more += placesIn(entry).length - 1;
        if (more > most) return true;
      }
    }
  }
  return false;
}

/** How many entries the lists of all tasks have together. */
export function entriesIn(tasks: readonly unknown[], fields: readonly (keyof RawTask)[]): number {
  let all = 0;
  for (const task of tasks) {
    const raw: RawTask = isObject(task) ? task : {};
    for (const field of fields) {
      const { [field]: list } = raw;
      if (Array.isArray(list)) all += list.length;
    }
  }
  return all;
}

/** A task without what is in its lists that are over their cap, so that nothing looks at it. The same, if none is. */
export const withinCaps = (task: unknown, caps: PlanCaps): unknown =>
  withoutLong(task, TASK_LISTS, caps);

/** The same of a plan's worktree. */
export const worktreeWithinCaps = (worktree: unknown, caps: PlanCaps): unknown =>
  withoutLong(worktree, WORKTREE_LISTS, caps);

function withoutLong(value: unknown, fields: readonly string[], caps: PlanCaps): unknown {
  if (!isObject(value)) return value;
  const lists = value as { readonly [field: string]: unknown };
  const long = fields.filter((field) => isOver(lists[field], caps));
  return long.length === 0
    ? value
    : { ...value, ...Object.fromEntries(long.map((field) => [field, []])) };
}

const isOver = (list: unknown, { paths }: PlanCaps): list is readonly unknown[] =>
  Array.isArray(list) && list.length > paths;

/** Too many waves, and the widest wave if it is too wide. */
export function* waveFindings(rows: readonly Row[], caps: PlanCaps): Generator<Finding> {
  const widths = new Map<number, number>();
  for (const { live, group } of rows)
    if (live && group !== undefined) widths.set(group, (widths.get(group) ?? 0) + 1);
  if (widths.size > caps.waves) yield tooMany(`${widths.size} waves`, caps.waves);
  for (const [group, width] of widths)
    if (width > caps.width) yield tooMany(`${width} tasks in parallel_group ${group}`, caps.width);
}

const tooMany = (what: string, cap: number): Finding => ({
  code: 'over-cap',
  at: ['tasks'],
  message: `the plan has ${what}, more than ${cap}`,
  fix: 'Split it into several plans that run one after the other.',
});

/** No text has more code points than units, nor fewer than half. */
const isLonger = (text: string, codePoints: number): boolean =>
  text.length > codePoints && (text.length > 2 * codePoints || [...text].length > codePoints);

/** A unit is one to three bytes. */
const isLarger = (text: string, bytes: number): boolean =>
  text.length > bytes || (3 * text.length > bytes && new TextEncoder().encode(text).length > bytes);
