import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import {
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ApiForwarder, apiForwarder } from './api-forwarder.ts';

interface Call {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

describe('apiForwarder', () => {
  let folder: string;
  let upstream: Server;
  let answer: (incoming: IncomingMessage, body: string, response: ServerResponse) => void;
  let seen: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[];
  let forwarder: ApiForwarder;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'atelier-forwarder-'));
    seen = [];
    answer = (_, __, response) => response.end('{}');
    upstream = createServer(async (incoming, response) => {
      const body = await text(incoming);
      const { method = '', url = '', headers } = incoming;
      seen.push({ method, url, headers, body });
      answer(incoming, body, response);
    });
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
    forwarder = await apiForwarder({
      socketPath: join(folder, 'api.sock'),
      baseUrl: urlOf('/base/'),
    });
  });
  afterEach(async () => {
    await forwarder.close();
    upstream.closeAllConnections();
    await new Promise((resolve) => upstream.close(resolve));
    await rm(folder, { recursive: true, force: true });
  });

  const urlOf = (path: string): string => {
    const address = upstream.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}${path}`;
  };
  const open = ({ method = 'POST', path = '/v1/messages', headers = {}, body = '{}' }: Call = {}) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const { socketPath } = forwarder;
      const sent = request({ socketPath, method, path, headers, agent: false }, resolve);
      sent.on('error', reject);
      sent.end(body);
    });
  const call = async (one: Call = {}) => {
    const response = await open(one);
    return { status: response.statusCode, headers: response.headers, body: await text(response) };
  };

  it('swaps the token for the key, and lets nobody in without the token', async () => {
    await forwarder.close();
    forwarder = await apiForwarder({
      socketPath: join(folder, 'swap.sock'),
      baseUrl: urlOf(''),
      credential: { token: 'attempt-token', key: 'real-key' },
    });
    const headers = { 'x-api-key': 'attempt-token', authorization: 'Bearer attempt-token' };
    expect((await call({ headers })).status).toBe(200);
    expect(seen[0]?.headers).toMatchObject({ 'x-api-key': 'real-key' });
    expect(seen[0]?.headers.authorization).toBeUndefined();
    const refused = await call({ headers: { 'x-api-key': 'guess' } });
    expect(refused.status).toBe(401);
    expect(refused.body).not.toContain('real-key');
    expect((await call()).status).toBe(401);
    expect(seen.length).toBe(1);
  });

  it('hands the request on as it is, and the answer back', async () => {
    answer = (_, __, response) => {
      response.writeHead(418, { 'retry-after': '7', 'content-type': 'text/plain' });
      response.end('short and stout');
    };
    const answered = await call({
      path: '/v1/messages?beta=true',
      headers: { 'x-api-key': 'token', 'anthropic-version': '2023-06-01' },
      body: '{"model":"ü"}',
    });
    expect(answered).toMatchObject({
      status: 418,
      headers: { 'retry-after': '7', 'content-type': 'text/plain' },
      body: 'short and stout',
    });
    expect(seen).toMatchObject([
      {
        method: 'POST',
        url: '/base/v1/messages?beta=true',
        headers: {
          'x-api-key': 'token',
          'anthropic-version': '2023-06-01',
          host: new URL(urlOf('')).host,
        },
        body: '{"model":"ü"}',
      },
    ]);
  });

  it('keeps what belongs to one connection on that connection', async () => {
    await call({
      headers: { connection: 'x-mine', 'x-mine': '1', te: 'trailers', 'x-other': '2' },
    });
    expect(seen[0]?.headers).toHaveProperty('x-other', '2');
    expect(seen[0]?.headers).not.toHaveProperty('x-mine');
    expect(seen[0]?.headers).not.toHaveProperty('te');
  });

  it('streams: the first event arrives while the second is not written', async () => {
    let finish = () => {};
    answer = (_, __, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('event: one\n\n');
      finish = () => response.end('event: two\n\n');
    };
    const response = await open();
    const parts: string[] = [];
    for await (const part of response) {
      parts.push(String(part));
      finish();
    }
    expect(parts).toEqual(['event: one\n\n', 'event: two\n\n']);
  });

  it.each([
    ['GET', '/v1/messages'],
    ['POST', '/v1/messages/batches'],
    ['POST', '/v1/messagesx'],
    ['POST', '/v1/files'],
    ['POST', '/v1/messages/../files'],
    ['POST', 'http://elsewhere.example/v1/messages'],
    ['DELETE', '/'],
  ])('lets nothing else through: %s %s', async (method, path) => {
    const { status, body } = await call({ method, path });
    expect(status).toBe(404);
    expect(JSON.parse(body)).toMatchObject({ type: 'error', error: { type: 'not_found_error' } });
    expect(seen).toEqual([]);
  });

  it('answers 502 in the form of the API when nobody is there', async () => {
    const baseUrl = urlOf('');
    await new Promise((resolve) => upstream.close(resolve));
    await forwarder.close();
    forwarder = await apiForwarder({ socketPath: join(folder, 'api.sock'), baseUrl });
    const { status, body } = await call();
    expect(status).toBe(502);
    expect(JSON.parse(body)).toEqual({
      type: 'error',
      error: { type: 'api_error', message: 'the model API can not be reached: ECONNREFUSED' },
    });
  });

  it('a connection that breaks in the middle is broken for the client too', async () => {
    answer = (incoming, _, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('event: one\n\n', () => incoming.socket.resetAndDestroy());
    };
    const response = await open();
    await expect(text(response)).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it.each(['before the answer', 'in the middle of it'])(
    'a client that leaves %s ends the call to the API',
    async (moment) => {
      let arrived = () => {};
      const arrival = new Promise<void>((resolve) => {
        arrived = resolve;
      });
      const left = new Promise<void>((resolve) => {
        answer = (_, __, response) => {
          response.on('close', resolve);
          if (moment === 'in the middle of it') response.write('x');
          arrived();
        };
      });
      const { socketPath } = forwarder;
      const sent = request({ socketPath, method: 'POST', path: '/v1/messages', agent: false });
      sent.on('error', () => {});
      sent.end('{}');
      await arrival;
      sent.destroy();
      await left;
    },
  );

  it('is for its owner alone', async () => {
    expect((await stat(forwarder.socketPath)).mode & 0o777).toBe(0o600);
  });

  it('close ends a stalled stream on both sides and removes the socket, once', async () => {
    const left = new Promise<void>((resolve) => {
      answer = (_, __, response) => {
        response.on('close', resolve);
        response.writeHead(200);
        response.flushHeaders();
      };
    });
    const response = await open();
    const broken = expect(text(response)).rejects.toMatchObject({ code: 'ECONNRESET' });
    await Promise.all([forwarder.close(), forwarder.close()]);
    await Promise.all([broken, left]);
    expect(await readdir(folder)).toEqual([]);
  });

  it.each(['ftp://host', 'not a url', 'http://user:secret@host', 'http://host?x=1', ''])(
    'API_BASE_URL: %j',
    async (baseUrl) => {
      await expect(
        apiForwarder({ socketPath: join(folder, 'b.sock'), baseUrl }),
      ).rejects.toMatchObject({
        code: 'API_BASE_URL',
        message: expect.not.stringContaining('secret'),
        hint: expect.any(String),
      });
    },
  );

  it('API_SOCKET_PATH: a path that the kernel would cut', async () => {
    const socketPath = join(folder, 'x'.repeat(120));
    await expect(apiForwarder({ socketPath, baseUrl: urlOf('') })).rejects.toMatchObject({
      code: 'API_SOCKET_PATH',
    });
  });

  it('API_SOCKET: a path that is taken stays as it is', async () => {
    const socketPath = join(folder, 'taken');
    await writeFile(socketPath, 'mine');
    await expect(apiForwarder({ socketPath, baseUrl: urlOf('') })).rejects.toMatchObject({
      code: 'API_SOCKET',
    });
    expect((await stat(socketPath)).size).toBe(4);
  });
});
