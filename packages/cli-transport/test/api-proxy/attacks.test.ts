import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { attemptToken } from '../../src/api-proxy/attempt-token.ts';
import { KEY, type Rig, rig, says, TOKEN } from './rig.ts';

/** What is written to the socket as it is, and all that comes back. */
async function raw({ proxy }: Rig, bytes: string): Promise<string> {
  const socket = connect(proxy.socketPath);
  socket.on('error', () => undefined);
  socket.write(bytes, 'latin1');
  return text(socket).catch(() => '');
}

const head = (lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`;

it.each([
  ['none', {}],
  ['a wrong one', { 'x-api-key': attemptToken('nonce-2') }],
  ['a part of one', { 'x-api-key': TOKEN.slice(0, -1) }],
  ['the key itself', { 'x-api-key': KEY }],
  ['two keys in one header', { 'x-api-key': [TOKEN, TOKEN] }],
  ['another one beside it', { 'x-api-key': TOKEN, authorization: 'Bearer other' }],
  ['an empty one', { 'x-api-key': '' }],
])('token: %s is refused, in the form of the API', async (_, headers) => {
  const { call, up } = await rig();
  const { status, body, headers: told } = await call({ headers });
  expect(status).toBe(401);
  expect(JSON.parse(body)).toEqual({
    type: 'error',
    error: { type: 'authentication_error', message: 'unknown token' },
  });
  expect(told['x-should-retry']).toBe('false');
  expect(body).not.toContain(KEY);
  expect(up.seen).toEqual([]);
});

it('a dismissed pass lets nobody in, and its open requests end; others go on', async () => {
  const { call, open, up, pass, admit } = await rig();
  const other = attemptToken('nonce-2');
  admit({ token: other });
  up.answers = [
    (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('x');
    },
    says(200),
  ];
  const broken = expect(text(await open())).rejects.toMatchObject({ code: 'ECONNRESET' });
  pass.dismiss();
  pass.dismiss();
  await broken;
  expect((await call()).status).toBe(401);
  expect((await call({ headers: { authorization: `bearer ${other}` } })).status).toBe(200);
});

it.each([
  ['GET', '/v1/messages'],
  ['DELETE', '/'],
  ['POST', '/'],
  ['POST', '/v1/messages/'],
  ['POST', '/v1/messages/batches'],
  ['POST', '/v1/messages/count_tokens'],
  ['POST', '/v1/messagesx'],
  ['POST', '/v1/files'],
  ['POST', '//v1/messages'],
  ['POST', '/v1//messages'],
  ['POST', '/v1/messages/../files'],
  ['POST', '/v1/x/../messages'],
  ['POST', '/v1/messages/%2e%2e/files'],
  ['POST', '/v1/%6dessages'],
  ['POST', '/v1/messages?a=/../x'],
  ['POST', '/v1/messages?a=%0d%0a'],
  ['POST', '/v1/messages#x'],
  ['POST', '/V1/messages'],
  ['POST', 'http://elsewhere.example/v1/messages'],
  ['POST', 'http://localhost/v1/messages'],
  ['POST', '*'],
])('only the model endpoint: %s %s is answered 404', async (method, path) => {
  const { call, up } = await rig();
  const { status, body } = await call({ method, path });
  expect(status).toBe(404);
  expect(JSON.parse(body)).toMatchObject({ type: 'error', error: { type: 'not_found_error' } });
  expect(up.seen).toEqual([]);
});

it('CONNECT leads nowhere, and an upgrade is an ordinary request', async () => {
  const at = await rig();
  const lines = [`host: a`, `x-api-key: ${TOKEN}`];
  expect(await raw(at, head(['CONNECT 127.0.0.1:22 HTTP/1.1', ...lines]))).toBe('');
  expect(at.up.seen).toEqual([]);
  const upgrade = ['connection: upgrade, close', 'upgrade: h2c', 'http2-settings: AAMAAABk'];
  const length = 'content-length: 2';
  const asked = head(['POST /v1/messages HTTP/1.1', ...lines, ...upgrade, length]);
  expect(await raw(at, `${asked}{}`)).toMatch(/^HTTP\/1\.1 200 /u);
  for (const name of ['upgrade', 'http2-settings'])
    expect(at.up.seen[0]?.headers).not.toHaveProperty(name);
});

it.each([
  ['two lengths', ['content-length: 2', 'content-length: 3']],
  ['a length beside chunks', ['content-length: 2', 'transfer-encoding: chunked']],
  ['an odd encoding', ['transfer-encoding: xchunked']],
  ['a name with a space', ['x-a : b']],
  ['a line that is no header', ['nonsense']],
])('smuggling: %s is refused before anything is sent on', async (_, lines) => {
  const at = await rig();
  const front = ['POST /v1/messages HTTP/1.1', 'host: a', `x-api-key: ${TOKEN}`];
  const told = await raw(at, `${head([...front, ...lines])}{}`);
  expect(told).toMatch(/^HTTP\/1\.1 400 /u);
  expect(at.up.seen).toEqual([]);
});

it('a request in the body of another is a body, and no request of an API', async () => {
  const at = await rig();
  const inner = head(['POST /v1/files HTTP/1.1', 'host: a']);
  const lines = ['host: a', `x-api-key: ${TOKEN}`, 'connection: close'];
  const length = `content-length: ${inner.length}`;
  const told = await raw(at, head(['POST /v1/messages HTTP/1.1', ...lines, length]) + inner);
  expect(told).toMatch(/^HTTP\/1\.1 400 /u);
  expect(at.up.seen).toEqual([]);
});

it('huge headers are refused', async () => {
  const at = await rig();
  const lines = [`x-api-key: ${TOKEN}`, `x-much: ${'x'.repeat(64 * 1024)}`];
  expect(await raw(at, head(['POST /v1/messages HTTP/1.1', 'host: a', ...lines]))).toMatch(
    /^HTTP\/1\.1 431 /u,
  );
});

it.each([
  ['headers', ['POST /v1/messages HTTP/1.1', 'host: a'].join('\r\n')],
  [
    'a body',
    head(['POST /v1/messages HTTP/1.1', 'host: a', `x-api-key: ${TOKEN}`, 'content-length: 9']),
  ],
])('whoever sends %s without ever finishing is ended', async (_, bytes) => {
  const at = await rig({ limits: { requestMs: 300 } });
  expect(await raw(at, bytes)).toMatch(/^(?:HTTP\/1\.1 408 .*)?$/su);
  expect(at.up.seen).toEqual([]);
});

it('a body over the limit is refused, told beforehand or not', async () => {
  const { call, up } = await rig({ limits: { requestBytes: 11 } });
  const headers = { 'x-api-key': TOKEN };
  const body = '{"top_k":10}';
  for (const more of [{}, { 'transfer-encoding': 'chunked' }]) {
    const refused = await call({ body, headers: { ...headers, ...more } });
    expect(refused.status).toBe(413);
    expect(JSON.parse(refused.body).error.type).toBe('request_too_large');
  }
  expect((await call({ body: '{"top_k":1}' })).status).toBe(200);
  expect(up.seen.length).toBe(1);
});

it('only so many requests of one pass run at once; those of others are not counted', async () => {
  const { call, open, up, admit } = await rig({ limits: { requestsPerPass: 2 } });
  const other = attemptToken('nonce-2');
  admit({ token: other });
  const stall = (response: Parameters<Rig['up']['answers'][number]>[0]) => {
    response.writeHead(200).flushHeaders();
    finish.push(() => response.end());
  };
  const finish: (() => void)[] = [];
  up.answers = [stall, stall, says(200)];
  const stalled = [await open(), await open()];
  const refused = await call();
  expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
  expect(JSON.parse(refused.body).error.type).toBe('rate_limit_error');
  expect((await call({ headers: { 'x-api-key': other } })).status).toBe(200);
  for (const end of finish) end();
  await Promise.all(stalled.map(text));
  expect((await call()).status).toBe(200);
});

it('the credential appears in no answer: not in a header, not in a body, not torn in two', async () => {
  const { call, up } = await rig();
  up.answers = [
    says(400, { 'x-echo': `you sent ${KEY}` }, `{"message":"bad key ${KEY}"}`),
    (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${KEY.slice(0, 9)}`);
      setTimeout(() => response.end(`${KEY.slice(9)} and ${KEY.slice(0, 5)}`), 20);
    },
  ];
  const stars = '*'.repeat(KEY.length);
  const refused = await call();
  expect(refused.body).toBe(`{"message":"bad key ${stars}"}`);
  expect(refused.headers['x-echo']).toBe(`you sent ${stars}`);
  expect((await call()).body).toBe(`data: ${stars} and ${KEY.slice(0, 5)}`);
});
