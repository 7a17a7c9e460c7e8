import type { FailCause } from '@atelier/engine';
import { printable } from '@atelier/envelope';
import { resetTime } from './reset-time.ts';
import type { ResultRecord } from './result-record.ts';

/** Why an attempt failed, as far as the program itself says. */
interface Failure {
  readonly cause: FailCause;
  readonly detail: string;
  readonly resumeAt?: number;
}

const DETAIL = 400;

/** The beginnings of the program's own messages. Anchored: a text that quotes one is not one. */
const LIMIT = new RegExp(
  [
    '^Claude AI usage limit reached\\|',
    "^You've (?:hit|reached) your [\\w ,'-]{0,60}limit\\b",
    '^API Error: 400 You have reached your specified API usage limits\\b',
  ].join('|'),
);
const ACCOUNT =
  /^(?:Not logged in\b|Credit balance is too low\b|Failed to authenticate\b|Invalid API key\b)/;
/** What is no answer of the API's is whoever stands before it, and as little the task's as an overload. */
const OVERLOAD =
  /^(?:API Error: )?(?:Request timed out|Rate limit reached|Overloaded|Stream ended without receiving any events|API returned an empty or malformed response)/;

/**
 * What the program calls the kind of an API error, where a kind says more than its status. Only the first three were met;
 * the others are as its own description has them.
 */
const KINDS: ReadonlyMap<unknown, FailCause> = new Map<unknown, FailCause>([
  ['usage_limit_reached', 'usage-limit'],
  ['connection_failed', 'overloaded'],
  ['stream_idle_timeout', 'overloaded'],
  ['no_response', 'overloaded'],
  ['computer_slept', 'overloaded'],
  ['api_key_auth_disabled', 'account'],
  ['org_disabled_credential', 'account'],
  ['invalid_credential_header', 'account'],
  ['model_requires_usage_credits', 'account'],
  ['claude_code_version_too_old', 'account'],
  ['long_context_credits_required', 'request'],
]);

const REASONS: ReadonlyMap<unknown, FailCause> = new Map<unknown, FailCause>([
  ['prompt_too_long', 'request'],
  // Limits of the conversation, in spite of the first one's name.
  ['blocking_limit', 'request'],
  ['rapid_refill_breaker', 'request'],
  ['budget_exhausted', 'budget'],
]);

const NO_OUTPUT = 'error_max_structured_output_retries';
const NO_ACCOUNT: readonly unknown[] = [401, 402, 403, 404];

/** The failure of a record that says it is none of success. Reads the program's error fields, never a worker's prose. */
export function failureOf(record: ResultRecord, nowMs: number): Failure {
  const text = errorText(record);
  const cause = causeOf(record, text);
  const resumeAt = cause === 'usage-limit' ? resetTime(text, nowMs) : undefined;
  return {
    cause,
    detail: printable([label(record), text].filter(Boolean).join(': '), DETAIL),
    ...(resumeAt === undefined ? {} : { resumeAt }),
  };
}

/** The failure that a line without any record tells of; undefined for a line that is none of the known ones. */
export function failureOfLine(line: string, nowMs: number): Failure | undefined {
  const detail = printable(line, DETAIL);
  if (ACCOUNT.test(line)) return { cause: 'account', detail };
  if (!LIMIT.test(line)) return undefined;
  const resumeAt = resetTime(line, nowMs);
  return { cause: 'usage-limit', detail, ...(resumeAt === undefined ? {} : { resumeAt }) };
}

function causeOf(record: ResultRecord, text: string): FailCause {
  const status = record['api_error_status'];
  const kind = KINDS.get(record['api_error']);
  if (kind === 'usage-limit' || LIMIT.test(text)) return 'usage-limit';
  if (kind) return kind;
  if (NO_ACCOUNT.includes(status) || ACCOUNT.test(text)) return 'account';
  if (status === 429 || (typeof status === 'number' && status >= 500)) return 'overloaded';
  if (OVERLOAD.test(text)) return 'overloaded';
  const reason = REASONS.get(record['terminal_reason']);
  if (reason) return reason;
  if (typeof status === 'number' && status >= 400) return 'request';
  if (record['is_error'] === true && record['stop_reason'] === 'refusal') return 'request';
  return record['subtype'] === NO_OUTPUT ? 'no-reply' : 'exit';
}

/**
 * What the program says went wrong: `result` of an API error, `errors` of any other. `result` of a record without
 * `is_error` is the worker's prose and not looked at.
 */
function errorText(record: ResultRecord): string {
  const { result, errors } = record;
  if (record['is_error'] !== true) return '';
  if (record['subtype'] === 'success') return typeof result === 'string' ? result : '';
  const [first] = Array.isArray(errors) ? errors : [];
  return typeof first === 'string' ? first : '';
}

function label(record: ResultRecord): string {
  const { subtype, terminal_reason: reason, api_error: error, api_error_status: status } = record;
  return [subtype, reason, error, typeof status === 'number' ? `HTTP ${status}` : '']
    .filter((part) => typeof part === 'string' && part !== '')
    .join(' ');
}
