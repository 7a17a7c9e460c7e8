import { isClosed, type RunEvent, type Task, taskKey } from '@atelier/engine';
import type { TeamWire } from '@atelier/store-sqlite';
import { HEARTBEAT_MS } from '@atelier/team-behaviors';
import { LEAD } from './current-team.ts';
import { roleOf } from './role-of.ts';

interface Heartbeats {
  onEvent(event: RunEvent): void;
  close(): void;
}

interface Beating {
  readonly teamId: string;
  readonly wire: Pick<TeamWire, 'sendAll'>;
  readonly tasks: readonly Task[];
  /** Those who are in the team. */
  readonly roles: readonly string[];
  readonly everyMs?: number;
}

/**
 * Tells on the wire of the team, at once and every half minute, which roles have a worker that lives. The host sees their
 * processes; no worker says it of itself. For people to look at: nothing is decided by it, and a row that can not be
 * written is not missed.
 */
export function heartbeats({
  teamId,
  wire,
  tasks,
  roles: members,
  everyMs = HEARTBEAT_MS,
}: Beating): Heartbeats {
  const open = tasks.filter((task) => !isClosed(task));
  const known = open.filter((task) => members.includes(roleOf(task)));
  const roles = new Map(known.map((task) => [taskKey(task.id), roleOf(task)]));
  const live = new Map<string, string>();
  const beat = (alive: Iterable<string>) => {
    const messages = [...new Set(alive)].map((senderId) => ({
      ...{ teamId, senderId, recipient: LEAD },
      ...({ kind: 'heartbeat', payload: '' } as const),
    }));
    try {
      if (messages.length > 0) wire.sendAll(messages);
    } catch {
      // The next one may be written.
    }
  };
  const timer = setInterval(() => beat(live.values()), everyMs);
  timer.unref();
  return {
    onEvent(event) {
      if (event.type === 'attempt.spawned') {
        const role = roles.get(taskKey(event.taskId));
        if (role === undefined) return;
        live.set(taskKey(event.taskId), role);
        beat([role]);
      } else if (ENDS.has(event.type) && 'taskId' in event) live.delete(taskKey(event.taskId));
    },
    close: () => clearInterval(timer),
  };
}

/** A worker that has replied is gone. */
const ENDS: ReadonlySet<RunEvent['type']> = new Set<RunEvent['type']>([
  'attempt.replied',
  'attempt.accepted',
  'attempt.closed',
]);
