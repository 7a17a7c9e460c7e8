import { readdir, stat } from 'node:fs/promises';
import { createServer as createHttp, type IncomingMessage, request } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { CONNECT, echo, listen, proxy, raw, tunnel } from './rig.ts';

it('a tunnel to a listed host carries both directions to their ends, and is counted', async () => {
  const { port } = await echo();
  const entry = `127.0.0.1:${port}`;
  const egress = await proxy({ allow: [entry] });
  expect(egress.traffic()).toEqual([]);
  const socket = await tunnel(egress, entry);
  socket.end('hello');
  expect(await text(socket)).toBe('hellohello');
  await expect
    .poll(() => egress.traffic())
    .toEqual([{ entry, connections: 1, sentBytes: 5, receivedBytes: 10 }]);
});

it('bytes that come with the request are part of the tunnel; live counts include open ones', async () => {
  const { port } = await echo();
  const entry = `127.0.0.1:${port}`;
  const egress = await proxy({ allow: [entry] });
  const socket = connect(egress.socketPath);
  socket.on('error', () => undefined);
  socket.write(`${CONNECT(entry)}early`);
  let got = '';
  for await (const piece of socket) {
    got += piece;
    if (got.endsWith('earlyearly')) break;
  }
  expect(got).toMatch(/^HTTP\/1\.1 200 [^\r]*\r\n\r\nearlyearly$/u);
  const [{ sentBytes } = { sentBytes: 0 }] = egress.traffic();
  expect(sentBytes).toBe(5);
});

it.each([
  ['a host that is not listed', 'other.example:443', 403],
  ['another port', 'registry.example:8080', 403],
  ['an address', '127.0.0.1:443', 403],
  ['an address in disguise', '2130706433:443', 400],
  ['the metadata service', '169.254.169.254:80', 403],
  ['a name that is a private address', 'rebound.example:443', 403],
  ['a name that is a mapped address', 'mapped.example:443', 403],
  ['a name that is nowhere', 'nowhere.example:443', 502],
  ['no port', 'registry.example', 400],
  ['no target', '/', 400],
])('CONNECT to %s: %s is answered %i', async (_, target, status) => {
  const denied: string[] = [];
  const asked: string[] = [];
  const egress = await proxy({
    allow: ['registry.example', 'rebound.example', 'mapped.example', 'nowhere.example'],
    onDenied: (line) => denied.push(line),
    lookup: async (host) => {
      asked.push(host);
      if (host === 'nowhere.example') throw new Error('ENOTFOUND');
      return host === 'mapped.example' ? ['::ffff:127.0.0.1'] : ['10.0.0.1', '127.0.0.1'];
    },
  });
  const answer = await raw(egress, CONNECT(target));
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `, 'u'));
  expect(denied.length).toBe(status === 403 ? 1 : 0);
  // A name that is not listed is not even looked up: it might carry a message.
  expect(asked).toEqual(/^(?:rebound|mapped|nowhere)/u.test(target) ? [target.split(':')[0]] : []);
  expect(egress.traffic()).toEqual([]);
});

it('a name is resolved once, and what it was then is what is connected to', async () => {
  const { port, reached } = await echo();
  let lookups = 0;
  const egress = await proxy({
    allow: [`moving.example:${port}`],
    lookup: async () => {
      lookups += 1;
      return lookups === 1 ? ['127.0.0.1'] : ['10.0.0.1'];
    },
  });
  const socket = await tunnel(egress, `moving.example:${port}`);
  socket.end('x');
  expect(await text(socket)).toBe('xx');
  expect([lookups, reached()]).toEqual([1, 1]);
});

it('of several addresses the next one is taken when one does not answer', async () => {
  const { port } = await echo();
  const egress = await proxy({
    allow: [`two.example:${port}`],
    lookup: async () => ['127.0.0.2', '127.0.0.1'],
  });
  const socket = await tunnel(egress, `two.example:${port}`);
  socket.end('x');
  expect(await text(socket)).toBe('xx');
});

it('plain http in absolute form goes to listed hosts under their own name', async () => {
  const server = createHttp((incoming: IncomingMessage, response) => {
    const { method, url, headers } = incoming;
    response.writeHead(201, { 'x-a': 'b', 'proxy-authenticate': 'x' });
    incoming.on('data', (data) => response.write(data));
    incoming.on('end', () => response.end(JSON.stringify({ method, url, headers })));
  });
  const port = await listen(server);
  const egress = await proxy({
    allow: [`plain.example:${port}`],
    lookup: async () => ['127.0.0.1'],
  });
  const ask = (path: string) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { host: 'evil.example', 'proxy-authorization': 'x', 'x-own': '1' };
      const { socketPath } = egress;
      const sent = request({ socketPath, method: 'PUT', path, headers, agent: false }, resolve);
      sent.on('error', reject);
      sent.end('body');
    });
  const answer = await ask(`http://plain.example:${port}/a?b=c`);
  expect(answer.statusCode).toBe(201);
  expect(answer.headers).toMatchObject({ 'x-a': 'b' });
  expect(answer.headers).not.toHaveProperty('proxy-authenticate');
  const told = await text(answer);
  expect(told).toMatch(/^body\{/u);
  const { headers, ...rest } = JSON.parse(told.slice(4));
  expect(rest).toEqual({ method: 'PUT', url: '/a?b=c' });
  expect(headers).toMatchObject({ host: `plain.example:${port}`, 'x-own': '1' });
  expect(headers).not.toHaveProperty('proxy-authorization');
  for (const [path, status] of [
    [`http://other.example:${port}/`, 403],
    [`http://plain.example@other.example:${port}/`, 400],
    ['/a', 400],
    [`https://plain.example:${port}/`, 400],
    ['ftp://plain.example/', 400],
  ] as const)
    expect((await ask(path)).statusCode, path).toBe(status);
});

it.each(['client', 'host'])('when the %s breaks off, the other side ends', async (side) => {
  const sockets: Socket[] = [];
  const closed: Promise<unknown>[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.write('hi');
    closed.push(new Promise((resolve) => socket.on('close', resolve)));
  });
  const port = await listen(server);
  const egress = await proxy({ allow: [`127.0.0.1:${port}`] });
  const client = await tunnel(egress, `127.0.0.1:${port}`);
  client.on('error', () => undefined);
  const left = new Promise((resolve) => client.on('close', resolve));
  await new Promise((resolve) => client.once('data', resolve));
  if (side === 'client') client.destroy();
  else sockets[0]?.resetAndDestroy();
  await Promise.all([left, ...closed]);
});

it('huge headers, and what is no request, are refused', async () => {
  const egress = await proxy();
  const many = `CONNECT a.example:443 HTTP/1.1\r\nx: ${'x'.repeat(64 * 1024)}\r\n\r\n`;
  expect(await raw(egress, many)).toMatch(/^HTTP\/1\.1 431 /u);
  expect(await raw(egress, '\x16\x03\x01\x02\x00')).toMatch(/^HTTP\/1\.1 400 /u);
});

it('close ends open tunnels and removes the socket, once; it was for the owner alone', async () => {
  const { port } = await echo();
  const egress = await proxy({ allow: [`127.0.0.1:${port}`] });
  expect((await stat(egress.socketPath)).mode & 0o777).toBe(0o600);
  const client = await tunnel(egress, `127.0.0.1:${port}`);
  client.on('error', () => undefined);
  const left = new Promise((resolve) => client.on('close', resolve));
  await Promise.all([egress.close(), egress.close(), left]);
  expect(await readdir(dirname(egress.socketPath))).toEqual([]);
});

it('EGRESS_RULE: nothing is opened for a list that can not be meant', async () => {
  await expect(proxy({ allow: ['*'] })).rejects.toMatchObject({ code: 'EGRESS_RULE' });
});
