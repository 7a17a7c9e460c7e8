import { quoted } from '../core/task-issues/received.ts';
import type { RawTask } from '../core/task-issues/task-fields.ts';
import type { Finding, Subject } from './finding.ts';

const FIELDS = ['reads', 'writes', 'must_produce'] as const;

/** Paths that could leave the repository, reach into git's own files, or name nothing. Only `writes` may use patterns. */
export function* pathIssues(task: RawTask, subject: Subject): Generator<Finding> {
  for (const field of FIELDS)
    yield* listIssues(task[field], { field, globs: field === 'writes' }, subject);
}

/** The same of a plan's worktree. */
export function* worktreePathIssues(
  { copy, link }: { readonly copy?: unknown; readonly link?: unknown },
  subject: Subject,
): Generator<Finding> {
  yield* listIssues(copy, { field: 'copy', globs: true }, subject);
  yield* listIssues(link, { field: 'link', globs: true }, subject);
}

function* listIssues(
  list: unknown,
  { field, globs }: { readonly field: string; readonly globs: boolean },
  { at, taskId, label }: Subject,
): Generator<Finding> {
  if (!Array.isArray(list)) return;
  for (const [item, path] of list.entries()) {
    const reason = typeof path === 'string' ? refusal(path, globs) : undefined;
    if (reason === undefined) continue;
    yield {
      code: 'invalid-path',
      at: [...at, field, item],
      taskId,
      message: `${field} of ${label} has ${quoted(path)}, which ${reason}`,
      fix: 'Write a path relative to the root of the repository, such as src/main.ts.',
    };
  }
}

/** Whether an entry names something inside the repository, so that other gates may look at it. */
export const isPath = (entry: unknown, globs: boolean): entry is string =>
  typeof entry === 'string' && refusal(entry, globs) === undefined;

function refusal(path: string, globs: boolean): string | undefined {
  if (path.trim() === '') return 'is empty';
  if (/[\p{Cc}\p{Cs}]/u.test(path)) return 'has a control character or half a surrogate pair';
  if (/^(\/|~(\/|$))/u.test(path)) return 'is absolute';
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.length === 0) return 'names the whole repository';
  if (parts.includes('..')) return 'leaves the repository with ..';
  // Some file systems do not tell .git from .GIT.
  if (parts.some((part) => part.toLowerCase() === '.git')) return 'is inside .git';
  if (!globs && path.includes('*')) return 'is a pattern where each file must be named';
  return undefined;
}
