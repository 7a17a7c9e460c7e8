import type { IncomingHttpHeaders } from 'node:http';
import { type ClientRequest, readClientRequest } from '../client-request.ts';

/** What one request of the responses API tells about its client. */
export interface ResponsesRequest extends ClientRequest {
  /** The name of the schema that the final message is to fit; empty when there is none. */
  readonly schema: string;
  /** All text that is not the user's side: what the client itself tells the model. */
  readonly instructions: string;
  /** What the tool call before this request gave; empty before the first. */
  readonly output: string;
}

const CWD = /<cwd>([^<]*)<\/cwd>/;

/** Reads a request body. Whatever is missing reads as empty. */
export function readResponsesRequest(
  body: unknown,
  headers: IncomingHttpHeaders,
): ResponsesRequest {
  const input = fieldOf(body, 'input');
  const items: readonly unknown[] = Array.isArray(input) ? input : [];
  const cwd = CWD.exec(JSON.stringify(items))?.[1] ?? '';
  const asMessages = { ...Object(body), messages: items };
  const session = { 'x-claude-code-session-id': String(headers['session-id'] ?? '') };
  const others = items.filter((item) => fieldOf(item, 'role') !== 'user');
  const outputs = items.filter((item) => /_call_output$/.test(String(fieldOf(item, 'type'))));
  return {
    ...readClientRequest(asMessages, session),
    cwd,
    schema: String(fieldOf(fieldOf(fieldOf(body, 'text'), 'format'), 'name') ?? ''),
    instructions: [fieldOf(body, 'instructions'), ...others].map(textOf).join('\n'),
    output: textOf(fieldOf(outputs.at(-1), 'output')),
  };
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
