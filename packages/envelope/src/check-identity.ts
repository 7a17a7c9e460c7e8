import { describe } from './describe.ts';
import { type JsonObject, type JsonValue, ownValue } from './json.ts';
import { type ReplyIssue, replyIssue } from './reply-issue.ts';

/** `type` is exactly `task_result`. */
export function checkType(envelope: JsonObject): ReplyIssue | undefined {
  const value = ownValue(envelope, 'type');
  if (value === 'task_result') return undefined;
  return replyIssue(
    {
      code: absenceOr(value, typeof value === 'string' ? 'mismatch' : 'wrong-type'),
      field: 'type',
      expected: '"task_result"',
      received: describe(value),
    },
    'set type to task_result.',
  );
}

/**
 * The field names the dispatched attempt. Only strings and safe integers have a canonical text to compare: `String([3])`
 * is "3" too, and a larger number may have been rounded onto another id.
 */
export function checkIdentity(
  envelope: JsonObject,
  field: 'task_id' | 'attempt',
  dispatched: string | number,
): ReplyIssue | undefined {
  const value = ownValue(envelope, field);
  const text = identityText(value);
  if (text !== undefined && text === identityText(dispatched)) return undefined;
  const comparable = typeof value === 'string' || typeof value === 'number';
  return replyIssue(
    {
      code: absenceOr(value, comparable ? 'mismatch' : 'wrong-type'),
      field,
      expected: describe(dispatched),
      received: describe(value),
    },
    typeof value === 'number' && text === undefined
      ? `this number is not a safe integer; send ${field} as text.`
      : `copy ${field} from the work order, unchanged.`,
  );
}

function identityText(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value;
  return Number.isSafeInteger(value) ? String(value) : undefined;
}

function absenceOr<Code>(value: JsonValue | undefined, code: Code): Code | 'missing' {
  return value === undefined || value === null ? 'missing' : code;
}
