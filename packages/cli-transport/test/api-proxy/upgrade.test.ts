import { createServer, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { rig } from './rig.ts';

it.each([
  '101 x\r\nupgrade: foo\r\nconnection: upgrade',
  '101 x\r\ncontent-length: 0',
  '099 x\r\ncontent-length: 0',
  '999 x\r\ncontent-length: 0',
])('an API that answers %j is one that does not answer', async (head) => {
  const open = new Set<Socket>();
  const server = createServer((connection) => {
    open.add(connection.on('error', () => undefined));
    connection.once('data', () => connection.write(`HTTP/1.1 ${head}\r\n\r\n`));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    for (const one of open) one.destroy();
  });
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const { call, pass } = await rig({ baseUrl: `http://127.0.0.1:${port}` });
  const { status, body } = await call();
  expect(status).toBe(502);
  expect(body).toMatch(/can not be reached/u);
  expect(pass.record().usage).toEqual({});
});
