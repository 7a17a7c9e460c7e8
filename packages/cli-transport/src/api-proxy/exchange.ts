import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '@atelier/engine';
import { printable } from '@atelier/envelope';
import { CliTransportError } from '../cli-error.ts';
import { type CredentialHeaders, secretsOf } from './credentials/credential.ts';
import type { HeldCredential } from './credentials/held-credential.ts';
import type { Dialect } from './dialects/dialect.ts';
import { type Expected, expectedOf } from './expected.ts';
import { meter } from './meter.ts';
import { nextStep, type Step } from './next-step.ts';
import { parsedBody } from './parsed-body.ts';
import type { OpenPass, Visit } from './pass.ts';
import { refuse } from './refuse.ts';
import { isReadable, relay } from './relay.ts';
import { requestBody } from './request-body.ts';
import { retryAfterMs } from './retry-after.ts';
import { callUpstream, type Upstreamed, upstreamHeaders } from './upstream.ts';

export interface ExchangeSettings {
  readonly base: URL;
  readonly dialect: Dialect;
  readonly credential: HeldCredential;
  readonly clock: Clock;
  readonly random: () => number;
  readonly requestBytes: number;
  readonly answerMs: number;
  readonly onLimit: (resumeAt: number) => void;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Below the base URL. */
  readonly path: string;
  readonly pass: OpenPass;
}

/** One admitted request, until its answer has gone by. Whoever leaves first ends the other side. */
export async function exchange(one: Exchange, settings: ExchangeSettings): Promise<void> {
  const { request, response, pass } = one;
  const { dialect, requestBytes } = settings;
  if (pass.isCut())
    return refuse(response, dialect, { status: 403, message: 'the attempt has spent its budget' });
  const over = new AbortController();
  const visit = pass.enter(() => {
    over.abort();
    response.destroy();
  });
  if (!visit)
    return refuse(response, dialect, {
      ...{ status: 429, message: 'too many requests of this attempt at once', retryAfterS: 1 },
    });
  let held = 0;
  response.once('close', () => {
    over.abort();
    visit.leave();
    pass.room.give(held);
    held = 0;
  });
  const given = await requestBody(request, { longest: requestBytes, room: pass.room });
  if (over.signal.aborted) return pass.room.give(given.held);
  held = given.held;
  if (given.bytes === 'room')
    return refuse(response, dialect, {
      ...{ status: 429, message: 'too much is asked at once', retryAfterS: 1 },
    });
  if (given.bytes === 'limit')
    return refuse(response, dialect, {
      status: 413,
      message: `the request is longer than ${requestBytes} bytes`,
    });
  const read = readRequest(given.bytes, pass, dialect);
  if (read.kind === 'refused') {
    pass.meet({ kind: 'request', detail: `the host refused a request: ${read.why}` });
    return refuse(response, dialect, { status: 400, message: read.why });
  }
  const { body, expected } = read;
  try {
    await answered({ ...one, visit, body, expected, signal: over.signal }, settings);
  } catch (error) {
    if (!(error instanceof CliTransportError)) throw error;
    pass.meet({ kind: 'account', detail: `${printable(error.message)}. ${error.hint}` });
    refuse(response, dialect, { status: 401, message: 'the host has no credential to go on with' });
  }
}

type Read =
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'read'; readonly body: Buffer; readonly expected: Expected };

function readRequest(bytes: Buffer, { model }: OpenPass, dialect: Dialect): Read {
  const parsed = parsedBody(bytes);
  if (!parsed) return { kind: 'refused', why: 'the body is no JSON object, or too large a one' };
  const asked = dialect.asked(parsed.value);
  const isOther =
    model !== undefined && !(asked.model !== undefined && dialect.isWithin(asked.model, model));
  const why =
    dialect.objection(parsed.value) ??
    (isOther ? `the model of this attempt is ${printable(model, 60)}` : undefined);
  if (why !== undefined) return { kind: 'refused', why: printable(why, 200) };
  const { bytes: body } = parsed;
  return { kind: 'read', body, expected: expectedOf(body.length, asked) };
}

interface Readied extends Exchange {
  readonly visit: Visit;
  readonly body: Buffer;
  readonly expected: Expected;
  readonly signal: AbortSignal;
}

/** Tries until something can be passed on. */
async function answered(one: Readied, settings: ExchangeSettings): Promise<void> {
  const { request, path, pass, visit, body, expected, signal } = one;
  const { base, dialect, credential, clock, random, answerMs } = settings;
  const began = clock.now();
  let isRenewed = false;
  for (let retries = 0; !signal.aborted; ) {
    const paidBy = await credential.current();
    const headers = upstreamHeaders(request.headers, {
      ...{ dialect, credential: paidBy, bodyBytes: body.length },
    });
    if (signal.aborted || !visit.sent(expected)) return;
    const tried = await callUpstream({ base, path, headers, body, answerMs, signal });
    if (signal.aborted) return;
    if (!mayHaveServed(tried)) visit.unserved();
    const step = nextStep(triedOf(tried, clock), {
      ...{ retries, isRenewed, random },
      leftMs: pass.leftMs(),
      heldMs: clock.now() - began,
    });
    if (step.kind !== 'renew' && step.kind !== 'wait')
      return finish(one, { tried, step, paidBy }, settings);
    if (tried.kind === 'answered') tried.answer.destroy();
    if (step.kind === 'renew') {
      isRenewed = true;
      await credential.refused(paidBy);
      await clock.sleep(step.pauseMs, signal);
    } else {
      retries += 1;
      const status = tried.kind === 'answered' ? tried.answer.statusCode : undefined;
      pass.tell({ kind: 'retry', waitMs: step.ms, ...(status !== undefined && { status }) });
      await clock.sleep(step.ms, signal);
    }
  }
}

/** An API that takes too long may be at work on it. */
const mayHaveServed = (tried: Upstreamed): boolean =>
  tried.kind === 'failed' ? tried.timedOut : (tried.answer.statusCode ?? 502) < 400;

function triedOf(tried: Upstreamed, clock: Clock): Parameters<typeof nextStep>[0] {
  if (tried.kind === 'failed') return { status: undefined, isFinal: tried.timedOut };
  const { statusCode, headers } = tried.answer;
  return {
    status: statusCode,
    retryAfterMs: retryAfterMs(headers, clock.wall()),
    isFinal: headers['x-should-retry'] === 'false',
  };
}

interface Finish {
  readonly tried: Upstreamed;
  readonly step: Exclude<Step, { kind: 'renew' | 'wait' }>;
  readonly paidBy: CredentialHeaders;
}

function finish(one: Readied, { tried, step, paidBy }: Finish, settings: ExchangeSettings): void {
  const { response, pass, visit, expected, signal } = one;
  const { dialect } = settings;
  const instead = (status: number, message: string) =>
    refuse(response, dialect, { status, message });
  if (tried.kind === 'failed') {
    pass.answered(0);
    const message = `the model API can not be reached: ${printable(tried.code, 60)}`;
    instead(tried.timedOut ? 504 : 502, message);
    return;
  }
  const { answer } = tried;
  const isServed = (answer.statusCode ?? 502) < 300;
  pass.answered(isServed ? undefined : answer.statusCode);
  if (isServed) pass.meet(undefined);
  else remember(step, pass, settings);
  if (!isReadable(answer)) {
    answer.destroy();
    instead(502, 'the model API answers in an encoding that it was not asked for');
    return;
  }
  const contentType = isServed ? (answer.headers['content-type'] ?? '') : '';
  const { now } = settings.clock;
  const counting = meter({ dialect, contentType, expected, now, onGrowth: pass.metered });
  if (isServed) visit.metering(counting);
  // Whoever leaves first is not the API.
  answer.once('error', () => !signal.aborted && pass.answered(0));
  const isFinal = step.kind === 'refused' || step.isFinal;
  relay(answer, response, {
    ...{ meter: counting, secrets: secretsOf(paidBy), isFinal },
    onWhole: () => isServed && !counting.isTold() && pass.answered(0),
  });
}

function remember(step: Finish['step'], pass: OpenPass, { clock, onLimit }: ExchangeSettings) {
  if (step.kind === 'refused')
    pass.meet({ kind: 'account', detail: 'the model API refused the credential of the host' });
  if (step.kind !== 'limit') return;
  const resumeAt = Math.ceil(clock.wall() + step.resumeAfterMs);
  pass.meet({ kind: 'limit', resumeAt });
  pass.tell({ kind: 'limit', resumeAt });
  onLimit(resumeAt);
}
