import { quoted } from '../core/task-issues/received.ts';
import type { RawTask } from '../core/task-issues/task-fields.ts';
import type { Finding, Subject } from './finding.ts';
import { namesGit } from './git-names.ts';

const FIELDS = ['reads', 'writes', 'must_produce'] as const;

/** Paths that could leave the repository, reach into git's own files, or name nothing. Only `writes` may use patterns. */
export function* pathIssues(task: RawTask, subject: Subject): Generator<Finding> {
  for (const field of FIELDS) {
    const globs = field === 'writes';
    yield* listIssues(task[field], { field, refusal: (path) => refusal(path, globs) }, subject);
  }
}

/** The same of a plan's worktree, and patterns that no worktree could be given. */
export function* worktreePathIssues(
  { copy, link }: { readonly copy?: unknown; readonly link?: unknown },
  subject: Subject,
): Generator<Finding> {
  yield* listIssues(copy, { field: 'copy', refusal: worktreeRefusal }, subject);
  yield* listIssues(link, { field: 'link', refusal: worktreeRefusal }, subject);
}

const worktreeRefusal = (path: string): string | undefined =>
  refusal(path, true) ?? notForWorktrees(path);

interface ListOptions {
  readonly field: string;
  /** What is wrong with an entry. */
  readonly refusal: (path: string) => string | undefined;
}

function* listIssues(
  list: unknown,
  { field, refusal }: ListOptions,
  { at, taskId, label }: Subject,
): Generator<Finding> {
  if (!Array.isArray(list)) return;
  for (const [item, path] of list.entries()) {
    const reason = typeof path === 'string' ? refusal(path) : undefined;
    if (reason === undefined) continue;
    yield {
      code: 'invalid-path',
      at: [...at, field, item],
      taskId,
      message: `${field} of ${label} has ${quoted(path)}, which ${reason}`,
      fix: 'Write a short path relative to the root of the repository, such as src/main.ts.',
    };
  }
}

/** Whether an entry names something inside the repository, so that other gates may look at it. */
export const isPath = (entry: unknown, globs: boolean): entry is string =>
  typeof entry === 'string' && refusal(entry, globs) === undefined;

/** The same of an entry of a worktree's lists. */
export const isWorktreePath = (entry: unknown): entry is string =>
  typeof entry === 'string' && worktreeRefusal(entry) === undefined;

/** As long as a path can be on Linux. In UTF-8, of the composed form in which a checked plan has it. */
const MOST_BYTES = 4_096;

const MOST_PARTS = 256;

const encoder = new TextEncoder();

/** Whatever it is, the answer takes no longer than a path of the greatest length does. */
function refusal(path: string, globs: boolean): string | undefined {
  if (isLong(path)) return `is longer than ${MOST_BYTES} bytes`;
  if (path.trim() === '') return 'is empty';
  if (/[\p{Cc}\p{Cs}]/u.test(path)) return 'has a control character or half a surrogate pair';
  if (/^(\/|~(\/|$))/u.test(path)) return 'is absolute';
  const all = path.split('/');
  if (all.length > MOST_PARTS) return `has more than ${MOST_PARTS} parts`;
  const parts = all.filter((part) => part !== '' && part !== '.');
  if (parts.length === 0) return 'names the whole repository';
  if (parts.includes('..')) return 'leaves the repository with ..';
  if (namesGit(path, globs)) return 'is inside .git';
  if (!globs && path.includes('*')) return 'is a pattern where each file must be named';
  return undefined;
}

/** What worktrees are equipped by is matched against every ignored file, and its time grows with its stars. */
const LONGEST = 300;
const MOST_STARS = 8;
const MOST_STARS_IN_A_PART = 3;

function notForWorktrees(path: string): string | undefined {
  if (path.length > LONGEST) return `is longer than ${LONGEST} characters`;
  if (/^(\.\/)*[a-zA-Z]:/u.test(path)) return 'is absolute';
  const parts = path.split('/');
  if (starsIn(path) > MOST_STARS || parts.some((part) => starsIn(part) > MOST_STARS_IN_A_PART))
    return 'has too many stars';
  return undefined;
}

/** Composed, no text has more than nine times as many bytes as it has units. */
const isLong = (path: string): boolean =>
  path.length > MOST_BYTES ||
  (9 * path.length > MOST_BYTES && encoder.encode(path.normalize('NFC')).length > MOST_BYTES);

const starsIn = (text: string): number => text.split(/\*+/u).length - 1;
