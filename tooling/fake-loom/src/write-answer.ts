import type { ServerResponse } from 'node:http';

/** A refusal, or a success that says nothing. */
export interface PlainAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Answers of JSON-RPC, each an event. */
interface EventAnswer {
  readonly session: string;
  readonly events: readonly object[];
}

/** The server's own stream: it stays open, and nothing is ever said on it. */
export const SILENT_STREAM = 'silent-stream';

export type Answer = PlainAnswer | EventAnswer | typeof SILENT_STREAM;

/** Writes an answer as bytes; one of events has a length, or comes in chunks. */
export function writeAnswer(
  response: ServerResponse,
  answer: Answer,
  framing: 'length' | 'chunks',
): void {
  if (answer === SILENT_STREAM) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    return;
  }
  if ('status' in answer) {
    response.writeHead(answer.status, answer.headers);
    response.end(answer.body);
    return;
  }
  const text = answer.events
    .map((one) => `event: message\ndata: ${JSON.stringify(one)}\n\n`)
    .join('');
  response.writeHead(200, {
    'cache-control': 'no-cache',
    // The connection stays open even where the client asks to close it.
    connection: 'keep-alive',
    'content-type': 'text/event-stream',
    'mcp-session-id': answer.session,
    ...(framing === 'length' && { 'content-length': Buffer.byteLength(text) }),
  });
  if (framing === 'chunks') response.write(text.slice(0, 10));
  response.end(framing === 'chunks' ? text.slice(10) : text);
}
