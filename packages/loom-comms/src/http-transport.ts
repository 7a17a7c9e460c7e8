import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { objectOf, textOf } from './json-value.ts';
import { done, failed, type LoomResult } from './loom-result.ts';
import { readAnswer } from './read-answer.ts';
import type { LoomTransport } from './transport.ts';

const VERSION = '2025-06-18';
const CLIENT = { name: 'atelier', version: '1' };

interface Exchange {
  readonly method: 'POST' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly limitMs: number;
  readonly read: (response: IncomingMessage) => Promise<LoomResult<unknown>>;
}

/**
 * MCP over Streamable HTTP, as far as a chat needs it: a POST per call, and a DELETE at the end of a session. The
 * server's own stream is not asked for, since it never says anything on it, and it is not told that we are initialized,
 * since it does not wait for that. Not `fetch`: that follows redirects and, where the environment asks for it, goes
 * through a proxy, and both lead away from this machine. A connection is for one call, so that none is ever used that
 * the server has just given up.
 */
export function httpTransport(url: URL): LoomTransport {
  const agent = new Agent();
  let lastId = 0;

  async function exchange(one: Exchange): Promise<LoomResult<unknown>> {
    const signal = AbortSignal.timeout(Math.max(1, Math.ceil(one.limitMs)));
    try {
      return await Promise.race([answered(one, signal), timeUp(signal)]);
    } catch (error) {
      if (signal.aborted) return failed('timeout', 'TIMEOUT', 'no answer in time');
      // A code of the system, never foreign text.
      return failed('closed', 'CLOSED', textOf(objectOf(error)['code']) || 'the connection broke');
    }
  }

  async function answered(
    { method, headers, body, read }: Exchange,
    signal: AbortSignal,
  ): Promise<LoomResult<unknown>> {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const outgoing = httpRequest(url, { agent, method, headers, signal });
      // A server that switches to another protocol, or a connection that closes, gives no answer and no error either.
      const broken = () => reject(new Error('the connection broke'));
      outgoing.on('error', reject).once('response', resolve).once('close', broken);
      outgoing.once('upgrade', (_, socket) => {
        socket.destroy();
        broken();
      });
      outgoing.end(body);
    });
    return read(response);
  }

  function post(
    request: { readonly method: string; readonly params?: object },
    options: {
      readonly session?: string;
      readonly limitMs: number;
      /** Told of the answer before its body is read. */
      readonly onHead?: (response: IncomingMessage) => void;
    },
  ): Promise<LoomResult<unknown>> {
    const id = ++lastId;
    const { session, limitMs, onHead } = options;
    return exchange({
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(session !== undefined && sessionHeaders(session)),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id, ...request }),
      limitMs,
      read: (response) => {
        onHead?.(response);
        return readAnswer(response, id);
      },
    });
  }

  return {
    async open(limitMs) {
      let session = '';
      const params = { protocolVersion: VERSION, capabilities: {}, clientInfo: CLIENT };
      const onHead = ({ headers }: IncomingMessage) => {
        session = textOf(headers['mcp-session-id']);
      };
      const answer = await post({ method: 'initialize', params }, { limitMs, onHead });
      if (!answer.ok) return answer;
      if (!session) return failed('rpc', 'MALFORMED', 'the server gave no session');
      const { name } = objectOf(objectOf(answer.value)['serverInfo']);
      return done({ id: session, serverName: textOf(name) });
    },
    request: (session, request, limitMs) => post(request, { session, limitMs }),
    close: (session, limitMs) =>
      exchange({
        method: 'DELETE',
        headers: sessionHeaders(session),
        limitMs,
        read: async (response) => {
          response.destroy();
          return done(undefined);
        },
      }),
  };
}

/** Rejects when the time is up, whatever becomes of the connection. */
const timeUp = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

const sessionHeaders = (session: string) => ({
  'mcp-session-id': session,
  'mcp-protocol-version': VERSION,
});
