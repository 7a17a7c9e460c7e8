import { CLOSURE_TOKENS, isClosureToken } from './closure.ts';
import { describe } from './describe.ts';
import { type JsonObject, ownValue } from './json.ts';
import { type ReplyIssue, replyIssue } from './reply-issue.ts';

/** `status` is one of the closure tokens. */
export function checkStatus(envelope: JsonObject): ReplyIssue | undefined {
  const value = ownValue(envelope, 'status');
  if (isClosureToken(value)) return undefined;
  const absent = value === undefined || value === null;
  const code = typeof value === 'string' ? 'unknown-status' : absent ? 'missing' : 'wrong-type';
  return replyIssue(
    {
      code,
      field: 'status',
      expected: `one of ${[...CLOSURE_TOKENS].sort().join(', ')}`,
      received: describe(value),
    },
    'set status to exactly one of these words.',
  );
}
