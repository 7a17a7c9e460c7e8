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
const OVERLOAD = /^(?:API Error: )?(?:Request timed out|Rate limit reached|Overloaded)/;

const UNREACHED: readonly unknown[] = ['connection_failed', 'stream_idle_timeout'];
/** Limits of the conversation, in spite of the second one's name. */
const TOO_LONG: readonly unknown[] = ['prompt_too_long', 'blocking_limit', 'rapid_refill_breaker'];
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
  const error = record['api_error'];
  if (error === 'usage_limit_reached' || LIMIT.test(text)) return 'usage-limit';
  if (NO_ACCOUNT.includes(status) || ACCOUNT.test(text)) return 'account';
  if (status === 429 || (typeof status === 'number' && status >= 500)) return 'overloaded';
  if (UNREACHED.includes(error) || OVERLOAD.test(text)) return 'overloaded';
  if (TOO_LONG.includes(record['terminal_reason'])) return 'request';
  if (typeof status === 'number' && status >= 400) return 'request';
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
