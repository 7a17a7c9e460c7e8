import { quoted } from '../core/task-issues/received.ts';
import { closestName } from './closest-name.ts';
import type { Finding, Subject } from './finding.ts';

/** Keys the format does not have. `x-…` is everybody's own. */
export function* unknownKeys(
  object: object,
  known: readonly string[],
  { at, taskId, label }: Subject,
): Generator<Finding> {
  for (const key of Object.keys(object)) {
    if (known.includes(key) || /^x-./su.test(key)) continue;
    const meant = closestName(key, known);
    yield {
      code: 'unknown-key',
      at: [...at, key],
      taskId,
      message: `${label} has an unknown key ${quoted(key)}`,
      fix:
        meant === undefined
          ? 'Remove it, or start its name with x- to keep it as your own.'
          : `Did you mean ${meant}? Otherwise remove it, or start its name with x-.`,
    };
  }
}
