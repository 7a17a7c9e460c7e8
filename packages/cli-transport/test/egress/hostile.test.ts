import { createServer as createHttp } from 'node:http';
import { connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { CONNECT, echo, listen, proxy, raw, tunnel } from './rig.ts';

it.each([
  ['a status that there is not', 'HTTP/1.1 099 x\r\n\r\n'],
  ['a switch to another protocol', 'HTTP/1.1 101 x\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'],
  ['no answer at all', ''],
])('a host that gives %s is answered for with 502', async (_, answer) => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(answer));
  });
  const port = await listen(server);
  const egress = await proxy({ allow: [`127.0.0.1:${port}`] });
  const told = await raw(egress, `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nhost: x\r\n\r\n`);
  expect(told).toMatch(/^HTTP\/1\.1 502 /u);
});

it('the body of a GET goes out as a body, and never as a request of its own', async () => {
  const seen: string[] = [];
  const server = createHttp((incoming, response) => {
    seen.push(`${incoming.method} ${incoming.url}`);
    incoming.pipe(response);
  });
  const port = await listen(server);
  const egress = await proxy({ allow: [`127.0.0.1:${port}`] });
  const inner = 'GET /secret HTTP/1.1\r\nhost: other.example\r\n\r\n';
  const head = `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n`;
  const told = await raw(egress, `${head}${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`);
  expect(told).toContain('GET /secret');
  expect(seen).toEqual(['GET /']);
});

it.each(['GET', 'CONNECT'])(
  'a connection has one request: a %s behind another ends it',
  async (next) => {
    let reached = 0;
    const server = createServer((socket) => {
      reached += 1;
      socket.on('error', () => undefined);
    });
    const port = await listen(server);
    const target = `127.0.0.1:${port}`;
    const egress = await proxy({ allow: [target] });
    const get = `GET http://${target}/ HTTP/1.1\r\nhost: x\r\n\r\n`;
    expect(await raw(egress, `${get}${(next === 'GET' ? get : CONNECT(target)).repeat(20)}`)).toBe(
      '',
    );
    expect(reached).toBeLessThan(2);
  },
);

it('256 ways to hosts are looked for at once and no more, also when whoever asked has left', async () => {
  let looked = 0;
  const egress = await proxy({
    allow: ['*.slow.example'],
    lookup: () => {
      looked += 1;
      return new Promise(() => undefined);
    },
  });
  for (let count = 64; count <= 256; count += 64) {
    const asking = Array.from({ length: 64 }, () => {
      const socket = connect(egress.socketPath);
      socket.on('error', () => undefined);
      socket.write('GET http://a.slow.example/ HTTP/1.1\r\nhost: x\r\n\r\n');
      return socket;
    });
    await expect.poll(() => looked, { timeout: 50_000 }).toBe(count);
    for (const socket of asking) socket.destroy();
  }
  expect(await raw(egress, CONNECT('b.slow.example:443'))).toMatch(/^HTTP\/1\.1 503 /u);
  expect(looked).toBe(256);
}, 60_000);

it('what has ended makes room for the next one', async () => {
  const { port } = await echo();
  const egress = await proxy({
    allow: [`127.0.0.1:${port}`, 'nowhere.example'],
    lookup: async () => [],
  });
  for (let round = 0; round < 13; round += 1) {
    const asked = Array.from({ length: 20 }, () => raw(egress, CONNECT('nowhere.example:443')));
    for (const answer of await Promise.all(asked)) expect(answer).toMatch(/^HTTP\/1\.1 502 /u);
  }
  const socket = await tunnel(egress, `127.0.0.1:${port}`);
  socket.end('x');
  expect(await text(socket)).toBe('xx');
}, 60_000);
