import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestHttp,
  type ServerResponse,
} from 'node:http';
import { request as requestHttps } from 'node:https';
import { pipeline } from 'node:stream';
import type { ApiCredential } from './api-forwarder.ts';

const MESSAGES = /^\/v1\/messages(?:\?|$)/;

/** Of one connection, not of the message; `host` is the upstream's own. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

interface Upstream {
  readonly base: URL;
  readonly credential: ApiCredential | undefined;
}

/** Hands one request on and its answer back. Whoever leaves first ends the other side. */
export function forward(
  { base, credential }: Upstream,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { method, url = '' } = request;
  if (method !== 'POST' || !MESSAGES.test(url)) {
    refuse(response, { status: 404, type: 'not_found_error', message: 'only POST /v1/messages' });
    return;
  }
  const headers = ownHeaders(request.headers);
  if (credential) {
    if (headers['x-api-key'] !== credential.token) {
      refuse(response, { status: 401, type: 'authentication_error', message: 'unknown token' });
      return;
    }
    headers['x-api-key'] = credential.key;
    delete headers['authorization'];
  }
  const send = base.protocol === 'https:' ? requestHttps : requestHttp;
  const upstream = send(
    {
      protocol: base.protocol,
      hostname: base.hostname.replace(/^\[|\]$/g, ''),
      port: base.port,
      path: `${base.pathname === '/' ? '' : base.pathname}${url}`,
      method,
      headers,
      // A connection of its own: none is left in a pool after close, and none goes stale there.
      agent: false,
    },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, ownHeaders(answer.headers));
      // The first bytes of a stream may be long in coming; its headers are not held back for them.
      response.flushHeaders();
      pipeline(answer, response, () => upstream.destroy());
    },
  );
  upstream.on('error', (error: NodeJS.ErrnoException) => {
    const message = `the model API can not be reached: ${error.code ?? 'connection failed'}`;
    if (response.headersSent) response.destroy();
    else refuse(response, { status: 502, type: 'api_error', message });
  });
  response.on('close', () => upstream.destroy());
  request.pipe(upstream);
}

function refuse(
  response: ServerResponse,
  { status, ...error }: { status: number; type: string; message: string },
): void {
  // What is left of the request is not read.
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
  response.end(JSON.stringify({ type: 'error', error }));
}

function ownHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = String(headers.connection ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name) && !named.includes(name)),
  );
}
