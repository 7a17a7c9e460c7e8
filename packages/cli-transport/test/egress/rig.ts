import { request } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import {
  type EgressProxy,
  type EgressProxyOptions,
  egressProxy,
} from '../../src/egress/egress-proxy.ts';
import { scratch } from '../api-proxy/rig.ts';

export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** A server that says everything twice. */
export async function echo(): Promise<{ port: number; reached: () => number }> {
  let reached = 0;
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    reached += 1;
    socket.on('error', () => undefined);
    socket.on('data', (data) => socket.write(Buffer.concat([data, data])));
    socket.on('end', () => socket.end());
  });
  return { port: await listen(server), reached: () => reached };
}

export async function proxy(options: Partial<EgressProxyOptions> = {}): Promise<EgressProxy> {
  const socketPath = join(await scratch(), 'egress/egress.sock');
  const made = await egressProxy({ socketPath, allow: [], ...options });
  onTestFinished(() => made.close());
  return made;
}

/** Writes to the proxy and reads until it is over. */
export async function raw({ socketPath }: EgressProxy, bytes: string): Promise<string> {
  const socket = connect({ path: socketPath, allowHalfOpen: true });
  socket.on('error', () => undefined);
  socket.write(bytes);
  const all = await text(socket).catch(() => '');
  socket.destroy();
  return all;
}

export const CONNECT = (target: string): string =>
  `CONNECT ${target} HTTP/1.1\r\nhost: ${target}\r\n\r\n`;

export const tunnel = ({ socketPath }: EgressProxy, target: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const asked = request({ socketPath, method: 'CONNECT', path: target });
    asked.on('connect', (answer, socket, head) => {
      if (answer.statusCode !== 200) return reject(new Error(String(answer.statusCode)));
      socket.unshift(head);
      resolve(socket);
    });
    asked.on('error', reject);
    asked.end();
  });
