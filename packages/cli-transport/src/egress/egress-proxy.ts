import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { printable } from '@atelier/envelope';
import { listenPrivately } from '../private-socket.ts';
import { hostRules, type Target, targetOf } from './host-rule.ts';
import { forwardPlain, plainTarget } from './plain-request.ts';
import { type Lookup, reach, systemLookup } from './reach.ts';
import { type Traffic, trafficCount } from './traffic.ts';
import { connection, join } from './tunnel.ts';

export interface EgressProxyOptions {
  /** Absolute, in a folder of its own, which is what walls let in; the folder is made. */
  readonly socketPath: string;
  /** Hosts as `hostRules` takes them. */
  readonly allow: readonly string[];
  /** Told of what was not let through, each once: a host and why, on one line. Foreign text. */
  readonly onDenied?: (line: string) => void;
  /** All addresses of a name. Default the system's. */
  readonly lookup?: Lookup;
}

export interface EgressProxy {
  readonly socketPath: string;
  /** What went through so far, by entry of the list. */
  traffic(): readonly Traffic[];
  /** Ends every connection and removes the socket. Idempotent. */
  close(): Promise<void>;
}

const CONNECTIONS = 256;
/** Ways to hosts, open or looked for: that goes on for a while when whoever asked has left. */
const UPSTREAMS = 256;
const HEADER_BYTES = 16 * 1024;
const HEADERS_MS = 10_000;
const TOLD = 100;

/**
 * An HTTP proxy on a unix socket that leads to listed hosts and nowhere else: `CONNECT`, and plain http in absolute form.
 * What goes through a tunnel is not looked at, so a list is a list of whom a worker may talk to, not of what it says. A
 * connection has one request, and leads to one host.
 * Rejects with `EGRESS_RULE`, `SOCKET_PATH` or `SOCKET_TAKEN`.
 */
export async function egressProxy(options: EgressProxyOptions): Promise<EgressProxy> {
  const { socketPath, lookup = systemLookup } = options;
  const rules = hostRules(options.allow);
  const traffic = trafficCount();
  const told = new Set<string>();
  const clients = new Set<Socket>();
  /** Connections that have had a request in plain http. */
  const asking = new WeakSet<Socket>();
  let upstreams = 0;

  const tellDenied = (target: string, why: string) => {
    const line = `${printable(target, 100)}: ${why}`;
    if (told.has(line) || told.size >= TOLD) return;
    told.add(line);
    try {
      options.onDenied?.(line);
    } catch {
      // A listener changes nothing.
    }
  };
  /** A connection to a target that may be reached, or the answer for any other. */
  const admitted = async (asked: string, target: Target | undefined): Promise<Admitted> => {
    if (!target) return { kind: 'refused', status: 400, why: 'it names no host and port' };
    if (upstreams >= UPSTREAMS) return { kind: 'refused', status: 503, why: 'too many at once' };
    upstreams += 1;
    const admission = await connected(asked, target).catch(unreachable);
    const release = () => {
      upstreams -= 1;
    };
    if (admission.kind === 'connected') admission.upstream.once('close', release);
    else release();
    return admission;
  };
  const connected = async (asked: string, target: Target): Promise<Admitted> => {
    const found = await reach(target, rules, lookup);
    if (found.kind === 'denied') tellDenied(asked, found.why);
    if (found.kind !== 'at')
      return { kind: 'refused', status: found.kind === 'denied' ? 403 : 502, why: found.why };
    const upstream = await connection(found);
    if (!upstream) return unreachable();
    traffic.count(found.rule.text, upstream);
    return { kind: 'connected', upstream };
  };

  const tunnel = async (request: IncomingMessage, client: Socket, head: Buffer) => {
    if (asking.has(client)) return client.destroy();
    clients.add(client);
    client.on('close', () => clients.delete(client));
    client.on('error', () => client.destroy());
    const asked = request.url ?? '';
    const found = await admitted(asked, targetOf(asked));
    if (found.kind === 'refused') client.end(refusal(found));
    else if (client.destroyed) found.upstream.destroy();
    else {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      found.upstream.write(head);
      join(client, found.upstream);
    }
  };
  const plain = async (request: IncomingMessage, response: ServerResponse) => {
    asking.add(request.socket);
    response.shouldKeepAlive = false;
    const target = plainTarget(request.url ?? '');
    const found = await admitted(target ? `${target.host}:${target.port}` : '', target);
    if (found.kind === 'refused') response.writeHead(found.status).end(`${found.why}\n`);
    else if (!target || response.destroyed) found.upstream.destroy();
    else forwardPlain(request, response, { target, upstream: found.upstream });
  };

  const server = createServer(
    { maxHeaderSize: HEADER_BYTES, headersTimeout: HEADERS_MS, connectionsCheckingInterval: 1_000 },
    (request, response) => {
      plain(request, response).catch(() => response.destroy());
    },
  );
  // An upload may take its time; its connection ends with the program.
  server.requestTimeout = 0;
  server.maxConnections = CONNECTIONS;
  server.maxRequestsPerSocket = 1;
  server.on('dropRequest', (_, client) => client.destroy());
  server.on('connect', (request, client: Socket, head) => {
    tunnel(request, client, head).catch(() => client.destroy());
  });
  await listenPrivately(server, socketPath);
  let closed: Promise<void> | undefined;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
      // A tunnel is no longer the server's.
      for (const client of clients) client.destroy();
    });
  return {
    socketPath,
    traffic: traffic.all,
    close() {
      closed ??= close();
      return closed;
    },
  };
}

interface Refused {
  readonly kind: 'refused';
  readonly status: 400 | 403 | 502 | 503;
  readonly why: string;
}

type Admitted = { readonly kind: 'connected'; readonly upstream: Socket } | Refused;

const unreachable = (): Refused => ({
  ...{ kind: 'refused', status: 502, why: 'it can not be reached' },
});

function refusal({ status, why }: Refused): string {
  const body = `${why}\n`;
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, 'content-type: text/plain'];
  const length = `content-length: ${Buffer.byteLength(body)}`;
  return [...head, 'connection: close', length, '', body].join('\r\n');
}
