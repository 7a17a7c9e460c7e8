import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as requestHttp,
} from 'node:http';
import { request as requestHttps } from 'node:https';
import type { CredentialHeaders } from './credentials/credential.ts';
import type { Dialect } from './dialects/dialect.ts';
import { endToEnd } from './hop-by-hop.ts';

interface UpstreamCall {
  readonly base: URL;
  /** Below the base. */
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
  readonly answerMs: number;
  /** Ends the call, and the answer too. */
  readonly signal: AbortSignal;
}

/** How one call began to be answered. */
export type Upstreamed =
  | { readonly kind: 'answered'; readonly answer: IncomingMessage }
  /** `code` as the system calls it, or `ETIMEDOUT` after `answerMs` without an answer. */
  | { readonly kind: 'failed'; readonly code: string; readonly timedOut: boolean };

/** Sends one request to the model API. Never rejects. */
export function callUpstream({
  base,
  path,
  headers,
  body,
  answerMs,
  signal,
}: UpstreamCall): Promise<Upstreamed> {
  const send = base.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve) => {
    let timedOut = false;
    const sent = send({
      protocol: base.protocol,
      hostname: base.hostname.replace(/^\[|\]$/gu, ''),
      port: base.port,
      path: `${base.pathname === '/' ? '' : base.pathname}${path}`,
      method: 'POST',
      headers,
      signal,
      // A connection of its own: none is left in a pool after close, and none goes stale there.
      agent: false,
    });
    const timer = setTimeout(() => {
      timedOut = true;
      sent.destroy();
    }, answerMs);
    const fail = (code: string) => {
      clearTimeout(timer);
      resolve({ kind: 'failed', code: timedOut ? 'ETIMEDOUT' : code, timedOut });
    };
    sent.on('response', (answer) => {
      clearTimeout(timer);
      const { statusCode = 0 } = answer;
      if (statusCode >= 200 && statusCode <= 599) return resolve({ kind: 'answered', answer });
      answer.destroy();
      fail('EPROTO');
    });
    // After the answer has begun, its own end tells of what happens to the connection.
    sent.on('error', ({ code }: NodeJS.ErrnoException) => fail(code ?? 'ECONNRESET'));
    sent.on('close', () => fail('ECONNRESET'));
    // Nobody asked for another protocol.
    sent.on('upgrade', (_, socket) => {
      socket.destroy();
      fail('EPROTO');
    });
    sent.end(body);
  });
}

const LISTS: ReadonlySet<string> = new Set(['anthropic-beta']);

/**
 * What a request says upstream: of the worker's headers those that its API's clients send, none of which chooses an
 * account, with the credential in place of the worker's token.
 */
export function upstreamHeaders(
  given: IncomingHttpHeaders,
  { dialect, credential, bodyBytes }: Sent,
): OutgoingHttpHeaders {
  const kept = Object.entries(endToEnd(given)).filter(([name]) => dialect.isHeader(name));
  const headers: OutgoingHttpHeaders = Object.fromEntries(kept);
  for (const [name, value] of Object.entries(credential)) {
    const beside = LISTS.has(name) ? String(headers[name] ?? '').split(',') : [];
    const all = [...beside.map((one) => one.trim()), value].filter((one) => one !== '');
    headers[name] = [...new Set(all)].join(',');
  }
  // What goes by is read, so it has to be readable.
  return { ...headers, 'accept-encoding': 'identity', 'content-length': bodyBytes };
}

interface Sent {
  readonly dialect: Dialect;
  readonly credential: CredentialHeaders;
  readonly bodyBytes: number;
}
