import {
  type ClientRequest,
  type IncomingMessage,
  request as requestHttp,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { endToEnd } from '../api-proxy/hop-by-hop.ts';
import { hostOf, type Target } from './host-rule.ts';

/** A request as plain http is asked of a proxy. */
export interface PlainTarget extends Target {
  readonly path: string;
}

/** The target of a request in absolute form; undefined for any other. */
export function plainTarget(url: string): PlainTarget | undefined {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol !== 'http:' || parsed.username || parsed.password) return undefined;
  const host = hostOf(parsed.hostname);
  if (host === undefined) return undefined;
  return { host, port: Number(parsed.port || 80), path: `${parsed.pathname}${parsed.search}` };
}

interface Forwarding {
  readonly target: PlainTarget;
  /** Connected to it. */
  readonly upstream: Socket;
}

/**
 * Sends the request on, under the name that was asked for, and its answer back. Whoever leaves first ends the other side.
 * An answer that can not be passed on as it is, whatever a host has made of it, is a 502. Never throws.
 */
export function forwardPlain(
  request: IncomingMessage,
  response: ServerResponse,
  { target, upstream }: Forwarding,
): void {
  const fail = () => {
    if (response.headersSent) response.destroy();
    else response.writeHead(502).end();
  };
  const sent = requestOn(request, { target, upstream });
  if (!sent) {
    upstream.destroy();
    fail();
    return;
  }
  sent.on('response', (answer) => {
    try {
      response.writeHead(answer.statusCode ?? 502, endToEnd(answer.headers));
    } catch {
      sent.destroy();
      fail();
      return;
    }
    pipeline(answer, response, () => sent.destroy());
  });
  // Nobody asked for another protocol.
  sent.on('upgrade', (_, socket) => socket.destroy());
  sent.on('error', fail);
  sent.on('close', () => {
    if (!response.headersSent) fail();
  });
  response.on('close', () => sent.destroy());
  pipeline(request, sent, () => undefined);
}

/** Undefined for headers that are none to the client, though they were to the server. */
function requestOn(
  { method = 'GET', headers }: IncomingMessage,
  { target: { host, port, path }, upstream }: Forwarding,
): ClientRequest | undefined {
  const shown = host.includes(':') ? `[${host}]` : host;
  try {
    return requestHttp({
      createConnection: () => upstream,
      ...{ method, path },
      headers: {
        ...endToEnd(headers),
        // Without it the body of a GET would go out bare, and read as a request of its own.
        ...(headers['transfer-encoding'] !== undefined && { 'transfer-encoding': 'chunked' }),
        host: port === 80 ? shown : `${shown}:${port}`,
      },
    });
  } catch {
    return undefined;
  }
}
