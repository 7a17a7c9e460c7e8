import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { answer, sendError } from './answer.ts';
import { type ClientRequest, readClientRequest } from './client-request.ts';
import { readBody } from './read-body.ts';
import type { Route } from './route.ts';
import { turnCounter } from './turn-counter.ts';

const KEPT_REQUESTS = 1000;

/** One request that the server saw, in order of arrival. */
export interface RecordedRequest extends ClientRequest {
  readonly method: string;
  readonly path: string;
  /** The credential that came with it. */
  readonly apiKey: string;
  /** The marker of the route that answered; empty when none did. */
  readonly route: string;
}

export interface ModelServer {
  readonly url: string;
  /** The last thousand. */
  readonly requests: readonly RecordedRequest[];
  /** Ends every connection, stalled ones included. */
  close(): Promise<void>;
}

/** Starts a scripted messages API on a free port of the loopback interface, and nowhere else. */
export async function startModelServer(routes: readonly Route[]): Promise<ModelServer> {
  const requests: RecordedRequest[] = [];
  const turns = turnCounter();
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else sendError(response, { status: 500, message: String(error) });
    });
  });
  server.maxConnections = 256;

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = incoming;
    const body = await readBody(incoming);
    if (body === undefined) {
      sendError(response, { status: 413 });
      return;
    }
    const request = readClientRequest(body, headers);
    const known = method === 'POST' && /^\/v1\/messages(?:\?|$)/.test(path);
    const route = known ? routes.find(({ marker }) => request.prompt.includes(marker)) : undefined;
    const apiKey = String(headers['x-api-key'] ?? headers.authorization ?? '');
    requests.push({ ...request, method, path, apiKey, route: route?.marker ?? '' });
    if (requests.length > KEPT_REQUESTS) requests.shift();
    if (!known) sendError(response, { status: 404, message: `no ${method} ${path}` });
    else if (!route) sendError(response, { status: 400, message: 'no route has this prompt' });
    else answer(response, turns(route, request.session), request);
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
