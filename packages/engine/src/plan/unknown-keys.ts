import { quoted } from '../core/task-issues/received.ts';
import { closestName } from './closest-name.ts';
import type { Finding, Subject } from './finding.ts';

/** So many are named; the rest is counted. */
const MOST_NAMED = 1_000;

/** So many different ones are looked up; a document with more is in another format. */
const MOST_LOOKED_UP = 100;

/** The keys of one document that its format does not have. `x-…` is everybody's own. */
export interface KeyGate {
  /** Those of one of its objects. */
  unknownIn(object: object, known: readonly string[], subject: Subject): Generator<Finding>;
  /** What was found and not named. */
  rest(): Generator<Finding>;
}

export function keyGate(): KeyGate {
  const meant = new Map<string, string | undefined>();
  let found = 0;
  return {
    *unknownIn(object, known, { at, taskId, label }) {
      for (const key of Object.keys(object)) {
        if (known.includes(key) || /^x-./su.test(key)) continue;
        found += 1;
        if (found > MOST_NAMED) continue;
        if (!meant.has(key) && meant.size < MOST_LOOKED_UP) meant.set(key, closestName(key, known));
        const close = meant.get(key);
        yield {
          code: 'unknown-key',
          at: [...at, key],
          taskId,
          message: `${label} has an unknown key ${quoted(key)}`,
          fix:
            close === undefined
              ? 'Remove it, or start its name with x- to keep it as your own.'
              : `Did you mean ${close}? Otherwise remove it, or start its name with x-.`,
        };
      }
    },
    *rest() {
      if (found <= MOST_NAMED) return;
      yield {
        code: 'unknown-key',
        at: [],
        message: `the plan has ${found - MOST_NAMED} more unknown keys`,
        fix: 'Mend those that are named first, in the same way.',
      };
    },
  };
}
