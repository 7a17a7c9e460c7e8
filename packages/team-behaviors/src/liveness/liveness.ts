import { type Heartbeat, readHeartbeats, type SignOfLife } from './heartbeats.ts';

/**
 * What a host sees of its workers' lives. For people to look at: it stops nobody, charges nothing and tells nobody
 * off, and there is no call to ask whether one is stale, so that nothing can be decided by it.
 */
export interface Liveness {
  /** The process is there, or it wrote something. An older sign than the last changes nothing. */
  seen(teamId: string, roleId: string): void;
  /** Nobody works in this role any more. */
  gone(teamId: string, roleId: string): void;
  readHeartbeats(): readonly Heartbeat[];
}

/** `now` is epoch milliseconds. */
export function liveness({ now }: { readonly now: () => number }): Liveness {
  const last = new Map<string, SignOfLife>();
  const nameOf = (teamId: string, roleId: string) => JSON.stringify([teamId, roleId]);
  return {
    seen(teamId, roleId) {
      const at = Math.max(now(), last.get(nameOf(teamId, roleId))?.at ?? 0);
      last.set(nameOf(teamId, roleId), { teamId, roleId, at });
    },
    gone: (teamId, roleId) => void last.delete(nameOf(teamId, roleId)),
    readHeartbeats: () => readHeartbeats(last.values()),
  };
}
