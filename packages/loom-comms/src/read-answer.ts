import type { IncomingMessage } from 'node:http';
import { chatLine } from './chat-text.ts';
import { eventData, wholeText } from './event-stream.ts';
import { objectOf, parseJson, textOf } from './json-value.ts';
import { done, failed, type LoomError, type LoomResult } from './loom-result.ts';

const MESSAGE = 200;

/**
 * The result of the JSON-RPC request with this id, out of whatever the server answered: a stream of events, JSON, or
 * a refusal of HTTP. Rejects where the connection breaks.
 */
export async function readAnswer(
  response: IncomingMessage,
  id: number,
): Promise<LoomResult<unknown>> {
  if (response.statusCode !== 200) return refusal(response);
  if (!response.headers['content-type']?.startsWith('text/event-stream')) {
    const answer = resultOf(parseJson((await wholeText(response)) ?? ''), id);
    return answer ?? failed('rpc', 'MALFORMED', 'the answer is no JSON-RPC');
  }
  for await (const data of eventData(response)) {
    const answer = resultOf(parseJson(data), id);
    if (answer) return answer;
  }
  return failed('rpc', 'MALFORMED', 'the stream ended without an answer');
}

function resultOf(value: unknown, id: number): LoomResult<unknown> | undefined {
  const message = objectOf(value);
  if (message['id'] !== id) return undefined;
  if (message['error'] === undefined) return done(message['result']);
  return { ok: false, error: rpcError(message) };
}

async function refusal(response: IncomingMessage): Promise<LoomResult<never>> {
  const { statusCode: status, headers } = response;
  const text = (await wholeText(response)) ?? '';
  const message = objectOf(parseJson(text));
  // Other statuses carry the same numbers with other meanings.
  if (status === 400 && message['error'] !== undefined)
    return { ok: false, error: rpcError(message) };
  const seconds = Number(headers['retry-after'] ?? Number.NaN);
  const error: LoomError = {
    kind: 'http',
    code: String(status),
    message: chatLine(text, MESSAGE),
    ...(seconds >= 0 && { retryAfterMs: seconds * 1000 }),
  };
  return { ok: false, error };
}

function rpcError(message: Readonly<Record<string, unknown>>): LoomError {
  const { code, message: text } = objectOf(message['error']);
  return { kind: 'rpc', code: String(Number(code)), message: chatLine(textOf(text), MESSAGE) };
}
