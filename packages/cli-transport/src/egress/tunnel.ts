import { connect, type Socket } from 'node:net';

/** How long a connection to one address may take to come about. */
const CONNECT_MS = 10_000;

/** How long a connection may be silent in both directions. */
const IDLE_MS = 300_000;

interface Place {
  /** Tried in turn. */
  readonly addresses: readonly string[];
  readonly port: number;
}

/** A connection to the first address that takes one; undefined when none does. It ends after five silent minutes. */
export async function connection({ addresses, port }: Place): Promise<Socket | undefined> {
  for (const address of addresses) {
    const socket = await connected(address, port);
    if (socket) return socket;
  }
  return undefined;
}

const connected = (host: string, port: number): Promise<Socket | undefined> =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: CONNECT_MS, allowHalfOpen: true });
    socket.once('timeout', () => socket.destroy());
    socket.once('error', () => resolve(undefined));
    socket.once('close', () => resolve(undefined));
    socket.once('connect', () => {
      socket.setTimeout(IDLE_MS);
      resolve(socket);
    });
  });

/** Joins two sockets, no faster than each takes. The end of one direction is passed on; a break of one breaks the other. */
export function join(client: Socket, upstream: Socket): void {
  for (const [one, other] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    one.on('error', () => other.destroy());
    one.on('close', () => other.destroySoon());
    one.pipe(other);
  }
}
