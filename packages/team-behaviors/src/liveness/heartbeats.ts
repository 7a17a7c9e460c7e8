import { byCodePoint } from '../text-order.ts';

/** How often a host tells that a worker lives, in milliseconds. Nothing happens when it does not. */
export const HEARTBEAT_MS = 30_000;

/** A sign of life: a process of a role was there. */
export interface SignOfLife {
  readonly teamId: string;
  readonly roleId: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Team, role, and when it was last seen, as ISO 8601. */
export type Heartbeat = readonly [teamId: string, roleId: string, lastSeen: string];

/** The newest sign of each role, by team and role. The same signs in any order give the same list. */
export function readHeartbeats(signs: Iterable<SignOfLife>): readonly Heartbeat[] {
  const newest = new Map<string, SignOfLife>();
  for (const sign of signs) {
    const name = JSON.stringify([sign.teamId, sign.roleId]);
    const known = newest.get(name);
    if (!known || sign.at > known.at) newest.set(name, sign);
  }
  return [...newest.values()]
    .sort(
      (one, other) =>
        byCodePoint(one.teamId, other.teamId) || byCodePoint(one.roleId, other.roleId),
    )
    .map(({ teamId, roleId, at }) => [teamId, roleId, new Date(at).toISOString()]);
}
