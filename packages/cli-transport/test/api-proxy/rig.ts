import { mkdtemp, rm } from 'node:fs/promises';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Clock } from '@atelier/engine';
import { onTestFinished } from 'vitest';
import { type ApiProxy, type ApiProxyOptions, apiProxy } from '../../src/api-proxy/api-proxy.ts';
import { attemptToken } from '../../src/api-proxy/attempt-token.ts';
import { apiKey } from '../../src/api-proxy/credentials/credential.ts';
import type { Pass, PassTerms } from '../../src/api-proxy/pass.ts';

export const KEY = 'sk-real-key-0123456789';
export const TOKEN: string = attemptToken('nonce-1');
export const WALL: number = Date.UTC(2026, 10, 30);

/** A clock on which every sleep is over at once. */
export interface LeapingClock extends Clock {
  readonly slept: number[];
}

export function leapingClock(): LeapingClock {
  let now = 0;
  const slept: number[] = [];
  return {
    slept,
    now: () => now,
    wall: () => WALL + now,
    sleep: async (ms) => {
      slept.push(ms);
      now += ms;
    },
  };
}

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type Answer = (response: ServerResponse, request: IncomingMessage) => void;

interface Upstream {
  readonly url: string;
  /** In turn; the last one for good. */
  answers: Answer[];
  readonly seen: Seen[];
  stop(): Promise<void>;
}

export const says =
  (status: number, headers: Record<string, string> = {}, body = '{}'): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  };

async function upstream(): Promise<Upstream> {
  const seen: Seen[] = [];
  const server = createServer(async (incoming, response) => {
    const { method = '', url = '', headers } = incoming;
    const body = await text(incoming).catch(() => '');
    seen.push({ method, url, headers, body });
    const answer = made.answers.length > 1 ? made.answers.shift() : made.answers[0];
    answer?.(response, incoming);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(stop);
  const made: Upstream = { url: `http://127.0.0.1:${port}`, answers: [says(200)], seen, stop };
  return made;
}

interface Call {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string | Buffer;
}

export interface Rig {
  readonly proxy: ApiProxy;
  readonly clock: LeapingClock;
  readonly up: Upstream;
  readonly pass: Pass;
  open(call?: Call): Promise<IncomingMessage>;
  call(call?: Call): Promise<{ status: number; headers: IncomingHttpHeaders; body: string }>;
  admit(terms?: Partial<PassTerms>): Pass;
}

/** A private folder for one test. */
export async function scratch(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-api-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A proxy before a scripted API, with one worker of half an hour let in. */
export async function rig(
  options: Partial<ApiProxyOptions> & { terms?: Partial<PassTerms> } = {},
): Promise<Rig> {
  const { terms, ...given } = options;
  const folder = await scratch();
  const up = await upstream();
  const clock = leapingClock();
  const proxy = await apiProxy({
    dialect: 'anthropic',
    socketPath: join(folder, 'api/api.sock'),
    baseUrl: up.url,
    credential: apiKey(given.dialect ?? 'anthropic', KEY),
    clock,
    random: () => 0.5,
    ...given,
  });
  onTestFinished(() => proxy.close());
  const admit = (more: Partial<PassTerms> = {}) =>
    proxy.admit({ token: TOKEN, wallClockMs: 1_800_000, ...more });
  const open = ({
    method = 'POST',
    path = '/v1/messages',
    headers = { 'x-api-key': TOKEN },
    body = '{"stream":true}',
  }: Call = {}) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const { socketPath } = proxy;
      const sent = request({ socketPath, method, path, headers, agent: false }, resolve);
      sent.on('error', reject);
      sent.end(body);
    });
  const call = async (one?: Call) => {
    const answered = await open(one);
    const { statusCode: status = 0, headers } = answered;
    return { status, headers, body: await text(answered) };
  };
  return { proxy, clock, up, pass: admit(terms), open, call, admit };
}
