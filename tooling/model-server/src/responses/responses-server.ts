import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { readBody } from '../read-body.ts';
import { turnCounter } from '../turn-counter.ts';
import { answerResponses, sendResponsesError } from './answer.ts';
import { type ResponsesRequest, readResponsesRequest } from './client-request.ts';
import type { ResponsesRoute } from './route.ts';

const KEPT_REQUESTS = 1000;

/** One request that the server saw, in order of arrival. */
export interface RecordedResponsesRequest extends ResponsesRequest {
  readonly method: string;
  readonly path: string;
  /** The credential that came with it. */
  readonly authorization: string;
  /** The marker of the route that answered; empty when none did. */
  readonly route: string;
}

export interface ResponsesServer {
  readonly url: string;
  /** The last thousand. */
  readonly requests: readonly RecordedResponsesRequest[];
  /** Ends every connection, stalled ones included. */
  close(): Promise<void>;
}

/** Starts a scripted responses API on a free port of the loopback interface, and nowhere else. */
export async function startResponsesServer(
  routes: readonly ResponsesRoute[],
): Promise<ResponsesServer> {
  const requests: RecordedResponsesRequest[] = [];
  const turns = turnCounter();
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else sendResponsesError(response, { status: 500, message: String(error) });
    });
  });
  server.maxConnections = 256;

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = incoming;
    const body = await readBody(incoming);
    if (body === undefined) {
      sendResponsesError(response, { status: 413 });
      return;
    }
    const request = readResponsesRequest(body, headers);
    const known = method === 'POST' && /^\/v1\/responses(?:\?|$)/.test(path);
    const route = known ? routes.find(({ marker }) => request.prompt.includes(marker)) : undefined;
    const authorization = headers.authorization ?? '';
    requests.push({ ...request, method, path, authorization, route: route?.marker ?? '' });
    if (requests.length > KEPT_REQUESTS) requests.shift();
    if (!known) sendResponsesError(response, { status: 404, message: `no ${method} ${path}` });
    else if (!route) sendResponsesError(response, { status: 400, message: 'no route' });
    else answerResponses(response, turns(route, request.session), request);
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
