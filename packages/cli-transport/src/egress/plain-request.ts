import { type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http';
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

/** Sends the request on, under the name that was asked for, and its answer back. Whoever leaves first ends the other side. */
export function forwardPlain(
  request: IncomingMessage,
  response: ServerResponse,
  { target: { host, port, path }, upstream }: Forwarding,
): void {
  const shown = host.includes(':') ? `[${host}]` : host;
  const sent = requestHttp({
    createConnection: () => upstream,
    method: request.method ?? 'GET',
    path,
    headers: { ...endToEnd(request.headers), host: port === 80 ? shown : `${shown}:${port}` },
  });
  sent.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, endToEnd(answer.headers));
    pipeline(answer, response, () => sent.destroy());
  });
  sent.on('error', () => {
    if (response.headersSent) response.destroy();
    else response.writeHead(502).end();
  });
  response.on('close', () => sent.destroy());
  pipeline(request, sent, () => undefined);
}
