import type { JsonValue } from '@atelier/envelope';
import type { AttemptMeta } from './attempt-meta.ts';
import type { ProcessIdentity } from './process-table.ts';

/**
 * What people may look for: the supervisor's process and when it started. With a `pidNamespace` the number is not one
 * that it has here.
 */
export function describeWorker(
  { startedAt, pidNamespace }: AttemptMeta,
  here: ProcessIdentity | undefined,
  there?: ProcessIdentity,
): JsonValue {
  if (here) return { pid: here.pid, startedAt };
  return there ? { pid: there.pid, pidNamespace, startedAt } : { startedAt };
}
