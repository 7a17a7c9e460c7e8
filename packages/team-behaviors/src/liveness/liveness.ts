import { byCodePoint } from '../text-order.ts';
import { type Heartbeat, readHeartbeats } from './heartbeats.ts';

/** Who works on what. Two tasks of one role are two workers. */
export interface Worker {
  readonly teamId: string;
  readonly roleId: string;
  readonly taskId: string;
}

/** What is known of a worker's life, as ISO 8601. */
export interface Life extends Worker {
  readonly lastSeen?: string;
  readonly lastOutput?: string;
}

/**
 * What a host sees of its workers' lives. For people to look at: it stops nobody, charges nothing and tells nobody
 * off, and there is no call to ask whether one is stale, so that nothing can be decided by it. Times are epoch
 * milliseconds, now when absent; an older one than the last changes nothing.
 */
export interface Liveness {
  /** Its process was there. */
  seen(worker: Worker, at?: number): void;
  /** It has written something. That it lives is not said by it: what is written outlives who wrote it. */
  wrote(worker: Worker, at?: number): void;
  /** Nobody works on this any more. */
  gone(worker: Worker): void;
  /** By team, role and task. */
  lives(): readonly Life[];
  readHeartbeats(): readonly Heartbeat[];
}

interface Signs extends Worker {
  readonly seenAt?: number;
  readonly wroteAt?: number;
}

/** `now` is epoch milliseconds. */
export function liveness({ now }: { readonly now: () => number }): Liveness {
  const known = new Map<string, Signs>();
  const note = (worker: Worker, what: 'seenAt' | 'wroteAt', at: number) => {
    // Whoever writes sets the time of its own output: one that is no date is none.
    if (Number.isNaN(new Date(at).getTime())) return;
    const { teamId, roleId, taskId } = worker;
    const before = known.get(nameOf(worker)) ?? { teamId, roleId, taskId };
    known.set(nameOf(worker), { ...before, [what]: Math.max(at, before[what] ?? at) });
  };
  return {
    seen: (worker, at = now()) => note(worker, 'seenAt', at),
    wrote: (worker, at = now()) => note(worker, 'wroteAt', at),
    gone: (worker) => void known.delete(nameOf(worker)),
    lives: () =>
      [...known.values()].sort(byName).map(({ seenAt, wroteAt, ...worker }) => ({
        ...worker,
        ...(seenAt === undefined ? {} : { lastSeen: new Date(seenAt).toISOString() }),
        ...(wroteAt === undefined ? {} : { lastOutput: new Date(wroteAt).toISOString() }),
      })),
    readHeartbeats: () =>
      readHeartbeats(
        [...known.values()].flatMap(({ teamId, roleId, seenAt }) =>
          seenAt === undefined ? [] : [{ teamId, roleId, at: seenAt }],
        ),
      ),
  };
}

const nameOf = ({ teamId, roleId, taskId }: Worker): string =>
  JSON.stringify([teamId, roleId, taskId]);

const byName = (one: Worker, other: Worker): number =>
  byCodePoint(one.teamId, other.teamId) ||
  byCodePoint(one.roleId, other.roleId) ||
  byCodePoint(one.taskId, other.taskId);
