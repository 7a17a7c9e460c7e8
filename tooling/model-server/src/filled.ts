import type { ClientRequest } from './client-request.ts';

/** A copy of a JSON value whose strings have `{{cwd}}`, `{{task_id}}` and `{{attempt}}` replaced. */
export function filled(value: unknown, { cwd, taskId, attempt }: ClientRequest): unknown {
  const words: Readonly<Record<string, string>> = {
    cwd,
    task_id: taskId,
    attempt: String(attempt),
  };
  const fill = (part: unknown): unknown => {
    if (typeof part === 'string') {
      return part.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => words[name] ?? whole);
    }
    if (Array.isArray(part)) return part.map(fill);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, fill(inner)]));
  };
  return fill(value);
}
