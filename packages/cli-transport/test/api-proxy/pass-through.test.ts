import { mkdir, readdir, rename, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { apiProxy } from '../../src/api-proxy/api-proxy.ts';
import { apiKey, oauthToken } from '../../src/api-proxy/credentials/credential.ts';
import { KEY, rig, says, scratch, TOKEN } from './rig.ts';

const EVENTS = { 'content-type': 'text/event-stream' };

it('swaps the token for the credential and hands the rest on as it is', async () => {
  const { up, call } = await rig();
  up.answers = [says(200, { 'request-id': 'r1', 'set-cookie': 'a=b' }, '{"ü":1}')];
  const answered = await call({
    path: '/v1/messages?beta=true',
    headers: {
      ...{ 'x-api-key': TOKEN, authorization: `Bearer ${TOKEN}`, cookie: 'a=b' },
      ...{ 'anthropic-version': '2023-06-01', 'accept-encoding': 'gzip', 'x-forwarded-for': '::1' },
    },
    body: '{"model":"ü"}',
  });
  expect(answered).toMatchObject({ status: 200, headers: { 'request-id': 'r1' }, body: '{"ü":1}' });
  expect(answered.headers).not.toHaveProperty('set-cookie');
  const [seen] = up.seen;
  expect(seen).toMatchObject({
    ...{ method: 'POST', url: '/v1/messages?beta=true', body: '{"model":"ü"}' },
    headers: {
      ...{ 'x-api-key': KEY, 'anthropic-version': '2023-06-01', 'accept-encoding': 'identity' },
      host: new URL(up.url).host,
    },
  });
  for (const name of ['authorization', 'cookie', 'x-forwarded-for'])
    expect(seen?.headers).not.toHaveProperty(name);
});

it('a base URL with a path is put before the endpoint', async () => {
  const { up } = await rig();
  const { call } = await rig({ baseUrl: `${up.url}/base/` });
  expect((await call()).status).toBe(200);
  expect(up.seen[0]?.url).toBe('/base/v1/messages');
});

it('openai: below the version, as a bearer, with or without the version inside', async () => {
  const { up } = await rig();
  const { call } = await rig({ dialect: 'openai', baseUrl: `${up.url}/v1` });
  const headers = { authorization: `Bearer ${TOKEN}` };
  for (const path of ['/responses', '/v1/responses'])
    expect((await call({ path, headers })).status).toBe(200);
  expect(up.seen.map(({ url }) => url)).toEqual(['/v1/responses', '/v1/responses']);
  expect(up.seen[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  const refused = await call({ path: '/v1/messages', headers });
  expect(JSON.parse(refused.body)).toMatchObject({ error: { type: 'invalid_request_error' } });
});

it('a subscription token is a bearer, and its beta stands beside those of the client', async () => {
  const { up, call } = await rig({ credential: oauthToken('sk-ant-oat01-token') });
  await call({ headers: { 'x-api-key': TOKEN, 'anthropic-beta': 'one-2025, two-2025' } });
  expect(up.seen[0]?.headers).toMatchObject({
    authorization: 'Bearer sk-ant-oat01-token',
    'anthropic-beta': 'one-2025,two-2025,oauth-2025-04-20',
  });
  expect(up.seen[0]?.headers).not.toHaveProperty('x-api-key');
});

it('keeps what belongs to one connection on that connection', async () => {
  const { up, call } = await rig();
  await call({
    headers: {
      ...{ 'x-api-key': TOKEN, connection: 'x-mine', 'x-mine': '1' },
      ...{ te: 'trailers', 'proxy-authorization': 'x', 'x-app': 'cli' },
    },
  });
  expect(up.seen[0]?.headers).toHaveProperty('x-app', 'cli');
  for (const name of ['x-mine', 'te', 'proxy-authorization'])
    expect(up.seen[0]?.headers).not.toHaveProperty(name);
});

it('streams: the first event arrives while the second is not written', async () => {
  const { up, open } = await rig();
  let finish = () => {};
  up.answers = [
    (response) => {
      response.writeHead(200, EVENTS);
      response.write('event: one\n\n');
      finish = () => response.end('event: two\n\n');
    },
  ];
  const parts: string[] = [];
  for await (const part of await open()) {
    parts.push(String(part));
    finish();
  }
  expect(parts).toEqual(['event: one\n\n', 'event: two\n\n']);
});

it('holds the API back while the program does not read', async () => {
  const { up, open } = await rig();
  const whole = 64 * 1024 * 1024;
  let written = 0;
  let isHeldBack = () => {};
  let quiet: NodeJS.Timeout | undefined;
  const heldBack = new Promise<void>((resolve) => {
    isHeldBack = resolve;
  });
  const piece = Buffer.alloc(1024 * 1024, 'x');
  up.answers = [
    (response) => {
      response.writeHead(200, EVENTS);
      const more = () => {
        while (written < whole) {
          written += piece.length;
          if (!response.write(piece)) {
            // Where nobody reads, nothing more happens for a while.
            clearTimeout(quiet);
            quiet = setTimeout(isHeldBack, 500);
            return;
          }
        }
        response.end();
      };
      response.on('drain', more);
      more();
    },
  ];
  const answer = await open();
  await heldBack;
  expect(written).toBeLessThan(whole);
  let read = 0;
  for await (const chunk of answer) read += chunk.length;
  expect(read).toBe(whole);
});

it('an answer that is compressed although nobody asked is made readable', async () => {
  const { up, call, pass } = await rig();
  const body = JSON.stringify({ usage: { input_tokens: 3, output_tokens: 4 } });
  up.answers = [
    (response) =>
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
        .end(gzipSync(body)),
    says(200, { 'content-encoding': 'zstd' }),
  ];
  const answered = await call();
  expect(answered.body).toBe(body);
  expect(answered.headers).not.toHaveProperty('content-encoding');
  expect(pass.record().usage).toEqual({ inputTokens: 3, outputTokens: 4 });
  expect((await call()).status).toBe(502);
});

it('a connection that breaks in the middle is broken for the client too, and nothing is sent again', async () => {
  const { up, open } = await rig();
  let breakOff = () => {};
  up.answers = [
    (response, incoming) => {
      response.writeHead(200, EVENTS);
      response.write('event: one\n\n');
      breakOff = () => incoming.socket.resetAndDestroy();
    },
  ];
  const answer = await open();
  answer.once('data', () => breakOff());
  await expect(text(answer)).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(up.seen.length).toBe(1);
});

it.each(['before the answer', 'in the middle of it'])(
  'a client that leaves %s ends the call to the API',
  async (moment) => {
    const { up, proxy } = await rig();
    let arrived = () => {};
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const left = new Promise<void>((resolve) => {
      up.answers = [
        (response) => {
          response.on('close', resolve);
          if (moment === 'in the middle of it') response.write('x');
          arrived();
        },
      ];
    });
    const { socketPath } = proxy;
    const headers = { 'x-api-key': TOKEN };
    const sent = request({ socketPath, method: 'POST', path: '/v1/messages', headers });
    sent.on('error', () => {});
    sent.end('{}');
    await arrival;
    sent.destroy();
    await left;
  },
);

it('close ends a stalled stream on both sides and removes the socket, once; its folder stays', async () => {
  const { up, proxy, open } = await rig();
  const left = new Promise<void>((resolve) => {
    up.answers = [
      (response) => {
        response.on('close', resolve);
        response.writeHead(200);
        response.flushHeaders();
      },
    ];
  });
  expect((await stat(proxy.socketPath)).mode & 0o777).toBe(0o600);
  expect((await stat(dirname(proxy.socketPath))).mode & 0o777).toBe(0o700);
  const broken = expect(text(await open())).rejects.toMatchObject({ code: 'ECONNRESET' });
  await Promise.all([proxy.close(), proxy.close()]);
  await Promise.all([broken, left]);
  expect(await readdir(dirname(proxy.socketPath))).toEqual([]);
});

it('a socket that a killed host left is replaced; one that is listened on, or a file, stays', async () => {
  const folder = await scratch();
  const options = {
    dialect: 'anthropic',
    baseUrl: 'http://127.0.0.1:9',
    credential: apiKey('anthropic', KEY),
  } as const;
  const socketPath = join(folder, 'api.sock');
  const dead = createServer();
  await new Promise<void>((resolve) => dead.listen(join(folder, 'was.sock'), resolve));
  await rename(join(folder, 'was.sock'), socketPath);
  await new Promise((resolve) => dead.close(resolve));
  const first = await apiProxy({ ...options, socketPath });
  await expect(apiProxy({ ...options, socketPath })).rejects.toMatchObject({
    code: 'SOCKET_TAKEN',
    hint: expect.any(String),
  });
  await first.close();
  await writeFile(socketPath, 'mine');
  await expect(apiProxy({ ...options, socketPath })).rejects.toMatchObject({
    code: 'SOCKET_TAKEN',
  });
  expect((await stat(socketPath)).size).toBe(4);
  const long = join(folder, 'x'.repeat(120));
  await mkdir(long);
  await expect(apiProxy({ ...options, socketPath: join(long, 'api.sock') })).rejects.toMatchObject({
    code: 'SOCKET_PATH',
  });
});

it.each(['ftp://host', 'not a url', 'http://user:secret@host', 'http://host?x=1', ''])(
  'API_BASE_URL: %j',
  async (baseUrl) => {
    await expect(rig({ baseUrl })).rejects.toMatchObject({
      ...{ code: 'API_BASE_URL', hint: expect.any(String) },
      message: expect.not.stringContaining('secret'),
    });
  },
);
