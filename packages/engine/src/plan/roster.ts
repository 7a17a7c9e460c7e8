import { quoted } from '../core/task-issues/received.ts';
import type { Row } from '../core/task-issues/row.ts';
import { closestName } from './closest-name.ts';
import type { Finding } from './finding.ts';

/** So many different wrong names are looked up; a plan with more has another roster in mind. */
const MOST_LOOKED_UP = 100;

/** Tasks that are to run by somebody who is not there. Names are compared letter by letter. */
export function* rosterFindings(
  rows: readonly Row[],
  personas: ReadonlySet<string>,
): Generator<Finding> {
  const known = [...personas];
  const meant = new Map<string, string | undefined>();
  for (const { live, raw, index, key, label } of rows) {
    if (!live) continue;
    for (const field of ['assigned_persona', 'assigned_to'] as const) {
      const name = raw?.[field];
      if (typeof name !== 'string' || name.trim() === '' || personas.has(name)) continue;
      if (!meant.has(name) && meant.size < MOST_LOOKED_UP)
        meant.set(name, closestName(name, known));
      const close = meant.get(name);
      yield {
        code: 'unknown-persona',
        at: ['tasks', index, field],
        taskId: key,
        message: `${label} is assigned to ${quoted(name)}, who is not in the roster`,
        fix:
          close === undefined
            ? `Name one of the ${known.length} personas of the roster.`
            : `Did you mean ${quoted(close)}? Otherwise name another persona of the roster.`,
      };
    }
  }
}
