import type { Server } from 'node:http';
import type { Socket } from 'node:net';

interface CrowdLimits {
  readonly most: number;
  readonly mostOfOne: number;
}

/** Who is connected. */
export interface Crowd {
  /** The connection belongs to somebody from now on; false when that one has too many. */
  admit(connection: Socket, owner: object): boolean;
}

/**
 * Holds a server to so many connections. Once they are all taken, the oldest one of which nobody knows whose it is makes
 * room for the next: whoever has no token keeps nobody out who has one.
 */
export function crowd(server: Server, { most, mostOfOne }: CrowdLimits): Crowd {
  const unknown = new Set<Socket>();
  const owners = new Map<Socket, object>();
  const counts = new WeakMap<object, number>();
  const count = (owner: object, by: number) => counts.set(owner, (counts.get(owner) ?? 0) + by);

  server.on('connection', (connection: Socket) => {
    const full = unknown.size + owners.size >= most;
    unknown.add(connection);
    connection.once('close', () => {
      unknown.delete(connection);
      const owner = owners.get(connection);
      owners.delete(connection);
      if (owner) count(owner, -1);
    });
    if (!full) return;
    const [oldest = connection] = unknown;
    unknown.delete(oldest);
    oldest.destroy();
  });
  return {
    admit(connection, owner) {
      if (owners.has(connection)) return true;
      if ((counts.get(owner) ?? 0) >= mostOfOne) return false;
      unknown.delete(connection);
      owners.set(connection, owner);
      count(owner, 1);
      return true;
    },
  };
}
