import { quoted } from '../core/task-issues/received.ts';
import type { RawTask } from '../core/task-issues/task-fields.ts';
import type { Finding, Subject } from './finding.ts';

const FIELDS = ['reads', 'writes', 'must_produce'] as const;

/** Paths that could leave the repository, reach into git's own files, or name nothing. Only `writes` may use globs. */
export function* pathIssues(task: RawTask, { at, taskId, label }: Subject): Generator<Finding> {
  for (const field of FIELDS) {
    const list = task[field];
    if (!Array.isArray(list)) continue;
    for (const [item, path] of list.entries()) {
      const reason = typeof path === 'string' ? refusal(path, field === 'writes') : undefined;
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
}

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
