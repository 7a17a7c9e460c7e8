import { once } from 'node:events';
import { createServer, type ListenOptions } from 'node:net';

/** A socket of the host that waits for whoever gets through. */
export interface Listener {
  readonly port: number | undefined;
  /** Everything that was sent; undefined while nobody came. */
  received(): string | undefined;
  close(): void;
}

/** Listens; without an address it is one that nobody can reach. */
export async function listener(address: ListenOptions | undefined): Promise<Listener> {
  let received: string | undefined;
  const server = createServer((socket) => {
    received ??= '';
    socket.on('data', (chunk) => {
      received += chunk.toString();
    });
    socket.on('error', () => socket.destroy());
  });
  if (address !== undefined) await once(server.listen(address), 'listening');
  server.unref();
  const bound = server.address();
  return {
    port: typeof bound === 'object' ? bound?.port : undefined,
    received: () => received,
    close: () => void server.close(),
  };
}
