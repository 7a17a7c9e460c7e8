import type { ServerResponse } from 'node:http';
import type { ResponsesRequest } from './client-request.ts';
import { idOf, itemsOf } from './items.ts';
import type { ResponsesTurn } from './route.ts';
import { responseEvents } from './stream-events.ts';

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
};

const STREAM = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };

/** Answers one request as its turn says. A stalled answer stays open until the client or the server goes. */
export function answerResponses(
  response: ServerResponse,
  turn: ResponsesTurn,
  request: ResponsesRequest,
): void {
  switch (turn.kind) {
    case 'fail':
      sendResponsesError(response, turn);
      return;
    case 'failed':
      response.writeHead(200, STREAM);
      response.end(responseEvents(request.model, [], turn).join(''));
      return;
    case 'stall':
      if (turn.after !== 'nothing') begin(response, request, turn.after);
      return;
    case 'reset':
      if (turn.after === 'nothing') response.destroy();
      else begin(response, request, turn.after, () => response.destroy());
      return;
    case 'garbage':
      response.writeHead(200, STREAM);
      response.end(turn.text);
      return;
    default: {
      const end = turn.usage ? { usage: turn.usage } : {};
      const items = itemsOf(turn, request);
      response.writeHead(200, STREAM);
      response.end(responseEvents(request.model, items, { kind: 'completed', ...end }).join(''));
    }
  }
}

/** Sends the headers, or also the first half of a message, and no more. */
function begin(
  response: ServerResponse,
  request: ResponsesRequest,
  after: 'headers' | 'half',
  sent: () => void = () => {},
): void {
  response.writeHead(200, STREAM);
  response.flushHeaders();
  if (after === 'headers') return;
  const items = itemsOf({ kind: 'say', text: 'I will begin' }, request);
  const events = responseEvents(request.model, items, { kind: 'completed' });
  response.write(events.slice(0, Math.ceil(events.length / 2)).join(''), () => sent());
}

/** An error in the API's own form. */
export function sendResponsesError(
  response: ServerResponse,
  { status, message, code = null, headers, more }: ResponsesError,
): void {
  const type = ERROR_TYPES[status] ?? 'server_error';
  response.writeHead(status, {
    'content-type': 'application/json',
    'x-request-id': idOf('req'),
    ...headers,
  });
  const error = { message: message ?? `HTTP ${status}`, type, code, param: null, ...more };
  response.end(JSON.stringify({ error }));
}

interface ResponsesError {
  readonly status: number;
  readonly message?: string;
  readonly code?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly more?: Readonly<Record<string, unknown>>;
}
