import type { Closure } from '@atelier/engine';
import { displayText, jsonText } from '../column-text.ts';
import type { AttemptRow } from '../schema.ts';

/** The columns that tell how an attempt ended. */
export type Ending = Pick<
  AttemptRow,
  'ending' | 'cause' | 'detail' | 'findings' | 'reply_json' | 'evidence_json'
>;

const NOTHING = {
  cause: null,
  detail: null,
  findings: null,
  reply_json: null,
  evidence_json: null,
};

/** A closure as columns; the whole of it stays in the event. */
export function endingOf(closure: Closure): Ending {
  const { kind: ending } = closure;
  switch (closure.kind) {
    case 'done':
      return { ...NOTHING, ending, reply_json: jsonText(closure.reply) };
    case 'abandoned':
      return {
        ...NOTHING,
        ending,
        cause: closure.category,
        detail: displayText(closure.reason),
        reply_json: jsonText(closure.reply),
      };
    case 'held':
      return { ...NOTHING, ending, cause: closure.status, reply_json: jsonText(closure.reply) };
    case 'rejected':
      return {
        ...NOTHING,
        ending,
        cause: displayText(closure.field),
        detail: displayText(closure.detail),
      };
    case 'failed':
      return {
        ...NOTHING,
        ending,
        cause: closure.cause,
        detail: displayText(closure.detail),
        findings: closure.findings === undefined ? null : displayText(closure.findings),
      };
  }
}
