import type { FailCause } from '@atelier/engine';
import { printable } from '@atelier/envelope';
import { jsonObject } from '../../json-lines.ts';
import { resetTime } from './reset-time.ts';

/** Why a turn failed, as far as the program itself says. */
export interface Failure {
  readonly cause: FailCause;
  readonly detail: string;
  readonly resumeAt?: number;
}

const DETAIL = 400;

/** The beginnings of the program's own messages, in the order in which they are tried. */
const MESSAGES: readonly (readonly [FailCause, RegExp])[] = [
  ['usage-limit', /^You['’]ve (?:hit|reached) your usage limit\b/],
  ['account', /^Quota exceeded\./],
  ['account', /^(?:You['’]re|Your workspace is) out of credits\b/],
  ['account', /^To use Codex with your ChatGPT plan, upgrade\b/],
  ['account', /^The model `[^`]{0,200}` does not exist\b/],
  ['account', /^Missing environment variable: /],
  ['overloaded', /^stream disconnected before completion: /],
  ['overloaded', /^We['’]re currently experiencing high demand\b/],
  ['overloaded', /^Selected model is at capacity\b/],
  ['overloaded', /^rate limit exceeded: /],
  ['overloaded', /^Connection failed: /],
  ['request', /^Codex ran out of room in the model's context window\b/],
];

/** Of an answer that the program gives back with its status alone. */
const STATUS = /^(?:unexpected status|exceeded retry limit, last status:) (\d{3})\b/;

/** In the text of a 400: the account may not use this model. */
const NO_MODEL = /^The '[^']{0,200}' model is not supported\b/;

const NO_ACCOUNT: readonly number[] = [401, 402, 403, 404];

/** The failure that the message of a failed turn tells of. Only the message's beginning counts, whatever it goes on to quote. */
export function failureOf(message: string, nowMs: number): Failure {
  const cause = causeOf(message);
  const resumeAt = cause === 'usage-limit' ? resetTime(message, nowMs) : undefined;
  const detail = printable(message === '' ? 'the turn failed without a word' : message, DETAIL);
  return { cause, detail, ...(resumeAt === undefined ? {} : { resumeAt }) };
}

function causeOf(message: string): FailCause {
  const status = Number(STATUS.exec(message)?.[1]);
  if (status) return causeOfStatus(status);
  const known = MESSAGES.find(([, beginning]) => beginning.test(message));
  if (known) return known[0];
  // The body of a 400 is given back as it is.
  const body = jsonObject(message);
  return body ? causeOfBody(body) : 'exit';
}

function causeOfStatus(status: number): FailCause {
  if (NO_ACCOUNT.includes(status)) return 'account';
  if (status === 429 || status >= 500) return 'overloaded';
  return status >= 400 ? 'request' : 'exit';
}

function causeOfBody({ error, detail }: Readonly<Record<string, unknown>>): FailCause {
  const noModel = typeof detail === 'string' && NO_MODEL.test(detail);
  const code = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;
  return noModel || code === 'model_not_found' ? 'account' : 'request';
}
