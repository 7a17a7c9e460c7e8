import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Agent, type Channel, emptyChat, type Message } from './chat.ts';
import type { Fault, RecordedCall } from './fault.ts';
import { rpcError, turnedAway } from './gatekeeper.ts';
import { readBody } from './read-body.ts';
import { answerRpc, type RpcRequest, recorded } from './rpc.ts';
import { sessionTable } from './sessions.ts';
import { type Answer, SILENT_STREAM, writeAnswer } from './write-answer.ts';

export interface FakeLoomOptions {
  /** Longest body in UTF-16 units. Default 500. */
  readonly bodyCap?: number;
  /** Default 100. */
  readonly maxSessions?: number;
  /** How long a session may be unseen. Default 5 minutes, by a clock that only `advance` moves. */
  readonly idleMs?: number;
  /** Whether an answer has a length or comes in chunks: below a half, a length. Default `Math.random`. */
  readonly random?: () => number;
  /** What goes wrong, asked at every call. */
  readonly fault?: (call: RecordedCall) => Fault | undefined;
}

export interface FakeLoom {
  readonly url: string;
  readonly port: number;
  /** Every call so far, in order of arrival. */
  readonly calls: readonly RecordedCall[];
  /** Connections that were ever taken. */
  connections(): number;
  sessions(): number;
  agents(): readonly Agent[];
  channels(): readonly Channel[];
  messages(): readonly Message[];
  /** From now on this goes wrong. */
  fail(fault: ((call: RecordedCall) => Fault | undefined) | undefined): void;
  /** Lets time pass for sessions, and ends those that were not seen. */
  advance(ms: number): void;
  /** Ends every session and keeps the chat, as a new start of the program does. */
  restart(): void;
  /** Wipes the chat and keeps the sessions, as a human or `purge_all` does. */
  purge(): void;
  /** Ends every connection, hanging ones included. Idempotent. */
  close(): Promise<void>;
}

const START = 1_795_970_000_000;

/** Starts a chat server on a free port of the loopback interface, and nowhere else. */
export async function startFakeLoom(options: FakeLoomOptions = {}): Promise<FakeLoom> {
  const { bodyCap = 500, maxSessions = 100, idleMs = 300_000, random = Math.random } = options;
  const chat = emptyChat({ nameCap: 64, bodyCap });
  const calls: RecordedCall[] = [];
  let now = START;
  let { fault } = options;
  let connections = 0;
  const sessions = sessionTable({
    most: maxSessions,
    idleMs,
    now: () => now,
    onEnd: (id) => chat.bound.delete(id),
  });

  const server = createServer((incoming, response) => {
    serve(incoming, response).catch(() => response.destroy());
  });
  server.on('connection', () => connections++);

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const answer = turnedAway(incoming, port) ?? (await answerTo(incoming));
    if (answer === 'hang') return;
    if (answer === 'reset') incoming.socket.resetAndDestroy();
    else writeAnswer(response, answer, random() < 0.5 ? 'length' : 'chunks');
  }

  async function answerTo(incoming: IncomingMessage): Promise<Answer | 'hang' | 'reset'> {
    const header = incoming.headers['mcp-session-id'];
    const session = typeof header === 'string' ? header : undefined;
    if (incoming.method !== 'POST') return answerWithoutBody(incoming.method, session);
    const body = await readBody(incoming);
    if (body === undefined) return { status: 413, body: 'payload too large' };
    if (body === null) return rpcError(400, -32700, 'Parse error: Invalid JSON');
    const requests = [body].flat() as RpcRequest[];
    const made = requests.map((request) => recorded(request, session));
    calls.push(...made);
    const wrong = made.map((call) => fault?.(call)).find((one) => one !== undefined);
    if (typeof wrong === 'string' || (wrong && 'status' in wrong)) return wrong;
    return answerRequests(requests, session, wrong?.code);
  }

  function answerRequests(
    requests: readonly RpcRequest[],
    from: string | undefined,
    code: string | undefined,
  ): Answer {
    const opening = requests.some(({ method }) => method === 'initialize');
    const lives = sessions.see(from);
    if (opening && lives) return rpcError(400, -32600, 'Invalid Request: already initialized');
    if (!opening && !lives) return rpcError(400, -32000, 'Bad Request: Server not initialized');
    const session = opening ? sessions.open() : from;
    if (session === undefined)
      return { status: 503, headers: { 'retry-after': '5' }, body: 'too many sessions' };
    const at = { session, now, ...(code !== undefined && { fault: code }) };
    const events = requests.flatMap((request) => answerRpc(chat, request, at) ?? []);
    return events.length > 0 ? { session, events } : { status: 202 };
  }

  function answerWithoutBody(
    method: string | undefined,
    session: string | undefined,
  ): Answer | 'hang' | 'reset' {
    const ends = method === 'DELETE';
    if (ends) {
      const call = { session, method };
      calls.push(call);
      const wrong = fault?.(call);
      if (typeof wrong === 'string' || (wrong && 'status' in wrong)) return wrong;
    }
    if (session === undefined || !sessions.see(session))
      return { status: 400, body: 'missing or invalid mcp-session-id' };
    if (!ends) return SILENT_STREAM;
    sessions.end(session);
    return { status: 200 };
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;

  return {
    url: `http://127.0.0.1:${port}/mcp`,
    port,
    calls,
    connections: () => connections,
    sessions: () => sessions.count(),
    agents: () => [...chat.agents.values()],
    channels: () => [...chat.channels.values()],
    messages: () => chat.messages,
    fail(next) {
      fault = next;
    },
    advance(ms) {
      now += ms;
      sessions.reap();
    },
    restart: () => sessions.clear(),
    purge() {
      chat.messages.length = 0;
      chat.channels.clear();
      chat.agents.clear();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
