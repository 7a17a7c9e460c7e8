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
      return { ending, ...NOTHING, reply_json: jsonText(closure.reply) };
    case 'abandoned':
      return {
        ending,
        ...NOTHING,
        cause: closure.category,
        detail: displayText(closure.reason),
        reply_json: jsonText(closure.reply),
      };
    case 'held':
      return { ending, ...NOTHING, cause: closure.status, reply_json: jsonText(closure.reply) };
    case 'rejected':
      return {
        ending,
        ...NOTHING,
        cause: displayText(closure.field),
        detail: displayText(closure.detail),
      };
    case 'failed':
      return {
        ending,
        ...NOTHING,
        cause: closure.cause,
        detail: displayText(closure.detail),
        findings: closure.findings === undefined ? null : displayText(closure.findings),
      };
  }
}
