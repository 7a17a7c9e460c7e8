import type { ServerResponse } from 'node:http';
import type { ClientRequest } from './client-request.ts';
import { messageOf } from './message.ts';
import type { Turn } from './route.ts';
import { streamEvents } from './stream-events.ts';

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

const STREAM = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };

/** Answers one request as its turn says. A stalled answer stays open until the client or the server goes. */
export function answer(response: ServerResponse, turn: Turn, request: ClientRequest): void {
  switch (turn.kind) {
    case 'fail':
      sendError(response, turn);
      return;
    case 'stall':
      begin(response, turn.after, request);
      return;
    case 'drop':
      begin(response, turn.after, request, () => response.socket?.resetAndDestroy());
      return;
    case 'garbage':
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(turn.body);
      return;
    default: {
      const message = messageOf(turn, request);
      if (!request.stream) {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(message));
        return;
      }
      response.writeHead(200, STREAM);
      response.end(streamEvents(message).join(''));
    }
  }
}

/** An error in the API's own form. */
export function sendError(
  response: ServerResponse,
  {
    status,
    message,
    headers,
  }: { status: number; message?: string; headers?: Readonly<Record<string, string>> },
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  const type = ERROR_TYPES[status] ?? 'api_error';
  response.end(
    JSON.stringify({ type: 'error', error: { type, message: message ?? `HTTP ${status}` } }),
  );
}

/** Sends the beginning of an answer, then calls back. */
function begin(
  response: ServerResponse,
  cut: 'nothing' | 'headers' | 'half',
  request: ClientRequest,
  then: () => void = () => undefined,
): void {
  if (cut === 'nothing') {
    then();
    return;
  }
  response.writeHead(200, STREAM);
  response.flushHeaders();
  if (cut === 'headers') return;
  const events = streamEvents(messageOf({ kind: 'say', text: 'I will begin' }, request));
  response.write(events.slice(0, Math.ceil(events.length / 2)).join(''), then);
}
