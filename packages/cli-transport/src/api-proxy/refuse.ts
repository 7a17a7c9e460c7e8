import type { ServerResponse } from 'node:http';
import type { Dialect } from './dialects/dialect.ts';

/** An answer of the host's own. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  /** The program may try again, after so many seconds. Absent: it is told not to. */
  readonly retryAfterS?: number;
}

/** Answers in the place of the model API, in the form that programs class by. What is left of the request is not read. */
export function refuse(
  response: ServerResponse,
  dialect: Dialect,
  { status, message, retryAfterS }: Refusal,
): void {
  if (response.destroyed || response.headersSent) return;
  response.writeHead(status, {
    'content-type': 'application/json',
    connection: 'close',
    ...(retryAfterS === undefined
      ? { 'x-should-retry': 'false' }
      : { 'retry-after': String(retryAfterS) }),
  });
  response.end(JSON.stringify(dialect.errorBody(status, message)));
}
