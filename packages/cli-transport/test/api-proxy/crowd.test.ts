import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { rig, says, TOKEN } from './rig.ts';

it('whoever has no token keeps nobody out who has one, and is ended', async () => {
  const { proxy, call } = await rig({ limits: { requestMs: 3_000 } });
  const idle: Socket[] = [];
  // In turn: more than a backlog of them at once would not be connected at all.
  for (let index = 0; index < 1_100; index += 1)
    idle.push(
      await new Promise<Socket>((resolve, reject) => {
        const one = connect(proxy.socketPath, () => resolve(one));
        one.on('error', reject).resume();
        onTestFinished(() => void one.destroy());
      }),
    );
  for (const status of [200, 200, 200]) expect((await call()).status).toBe(status);
  await Promise.all(
    idle.map((one) => one.destroyed || new Promise((resolve) => one.once('close', resolve))),
  );
}, 60_000);

it('one worker has only so many connections, used or not', async () => {
  const { proxy, up } = await rig();
  up.answers = [says(200)];
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const { socketPath } = proxy;
  const headers = { 'x-api-key': TOKEN };
  const ask = () =>
    new Promise<{ status: number; done: () => void }>((resolve, reject) => {
      const sent = request({ agent, socketPath, method: 'POST', path: '/v1/messages', headers });
      sent.on('error', reject);
      sent.on('response', (answer) =>
        // Unread, it keeps its connection.
        resolve({ status: answer.statusCode ?? 0, done: () => answer.resume() }),
      );
      sent.end('{}');
    });
  const statuses: number[] = [];
  const open: (() => void)[] = [];
  for (let index = 0; index < 66; index += 1) {
    const { status, done } = await ask();
    statuses.push(status);
    open.push(done);
  }
  expect(statuses.slice(0, 64)).toEqual(Array(64).fill(200));
  expect(statuses.slice(64)).toEqual([429, 429]);
  for (const done of open) done();
});
