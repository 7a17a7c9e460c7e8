import { type Clock, type RunEvent, systemClock, type Task, taskKey } from '@atelier/engine';
import type { TeamWire } from '@atelier/store-sqlite';
import { HEARTBEAT_MS } from '@atelier/team-behaviors';
import { LEAD } from './current-team.ts';
import { roleOf } from './role-of.ts';
import type { SignsOf, WorkerSigns } from './worker-signs.ts';

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
  /** The run so far: workers of an earlier host may live. */
  readonly history: readonly RunEvent[];
  readonly signsOf: SignsOf;
  readonly clock?: Pick<Clock, 'sleep' | 'wall'>;
}

/** A process may not have said who it is yet when its start is told. */
const SETTLED_MS = 1_000;

/**
 * Looks at the worker of every attempt that is in flight, also one that an earlier host started: at its start and every
 * half minute. Of those whose process lives it notes the time beside their output, and tells on the wire of the team
 * which roles they have. No worker says it of itself. For people to look at: nothing is stopped, charged or decided by
 * it, and what can not be looked at or written is not missed.
 */
export function heartbeats({
  teamId,
  wire,
  tasks,
  roles: members,
  history,
  signsOf,
  clock = systemClock,
}: Beating): Heartbeats {
  const roles = new Map(tasks.map((task) => [taskKey(task.id), roleOf(task)]));
  const inFlight = new Map<string, WorkerSigns>();
  const over = new AbortController();

  const beat = (looked: Iterable<string>): boolean => {
    try {
      const alive = [...looked].filter((key) => isSeen(inFlight.get(key), clock.wall()));
      const living = new Set(alive.flatMap((key) => roles.get(key) ?? []));
      const messages = [...living]
        .filter((role) => members.includes(role))
        .map((senderId) => ({
          ...{ teamId, senderId, recipient: LEAD },
          ...({ kind: 'heartbeat', payload: '' } as const),
        }));
      if (messages.length > 0) wire.sendAll(messages);
      return alive.length > 0;
    } catch {
      // The next one may be seen, and written.
      return false;
    }
  };

  const follow = (event: RunEvent) => {
    if (event.type === 'attempt.started')
      inFlight.set(taskKey(event.taskId), signsOf(event.taskId, event.attempt));
    else if (ENDS.has(event.type) && 'taskId' in event) inFlight.delete(taskKey(event.taskId));
  };

  const greet = async (key: string) => {
    if (beat([key])) return;
    await clock.sleep(SETTLED_MS, over.signal);
    if (!over.signal.aborted) beat([key]);
  };

  const goOn = async () => {
    while (!over.signal.aborted) {
      beat(inFlight.keys());
      await clock.sleep(HEARTBEAT_MS, over.signal);
    }
  };

  for (const event of history) follow(event);
  void goOn();
  return {
    onEvent(event) {
      follow(event);
      if (event.type === 'attempt.spawned') void greet(taskKey(event.taskId));
    },
    close: () => over.abort(),
  };
}

function isSeen(signs: WorkerSigns | undefined, now: number): boolean {
  if (!signs?.isAlive()) return false;
  signs.note(now);
  return true;
}

/** A worker that has replied is gone. */
const ENDS: ReadonlySet<RunEvent['type']> = new Set<RunEvent['type']>([
  'attempt.replied',
  'attempt.accepted',
  'attempt.closed',
]);
