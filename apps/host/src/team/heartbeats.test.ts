import {
  manualClock,
  memoryJournal,
  type RunEvent,
  run,
  scriptedTransport,
  type Task,
} from '@atelier/engine';
import { expect, it } from 'vitest';
import { heartbeats } from './heartbeats.ts';

const TASKS: readonly Task[] = [
  { id: 'api', parallel_group: 1, assigned_persona: 'backend-engineer' },
  { id: 'db', parallel_group: 1, assigned_persona: 'backend-engineer' },
  { id: 'page', parallel_group: 1 },
  { id: 'odd', parallel_group: 1, assigned_persona: 'nobody-known' },
];

const event = (type: RunEvent['type'], taskId: string, attempt = 1) =>
  ({ type, taskId, attempt }) as RunEvent;

const startOf = (taskId: string, attempt = 1) => [
  event('attempt.started', taskId, attempt),
  event('attempt.spawned', taskId, attempt),
];

/** Beats over workers that live as long as they are listed, and shows who beat and what was noted. */
function beating({ history = [] as readonly RunEvent[], sendAll = true } = {}) {
  const clock = manualClock({ wall: 0 });
  const alive = new Set<string>();
  const beats: string[] = [];
  const noted = new Map<string, number>();
  const looked: string[] = [];
  const hearts = heartbeats({
    ...{ teamId: 't', tasks: TASKS, roles: ['backend-engineer', 'worker'], history, clock },
    wire: {
      sendAll: (messages) => {
        if (!sendAll) throw new Error('disk full');
        beats.push(
          ...messages.map(({ kind, senderId, payload }) => `${kind} ${senderId}${payload}`),
        );
        return [];
      },
    },
    signsOf: (taskId, attempt) => ({
      isAlive() {
        looked.push(`${taskId}/${attempt}`);
        return alive.has(`${taskId}/${attempt}`);
      },
      wroteAt: () => undefined,
      notedAt: () => undefined,
      note: (at) => void noted.set(`${taskId}/${attempt}`, at),
    }),
  });
  const tell = (...events: readonly RunEvent[]) => {
    for (const one of events) hearts.onEvent(one);
  };
  return { clock, alive, beats, noted, looked, tell, close: hearts.close };
}

it('TB-22: a beat at the start and every half minute, of those alone whose process was seen', async () => {
  const { clock, alive, beats, noted, tell, close } = beating();
  alive.add('api/1').add('page/1');
  tell(...startOf('api'), ...startOf('page'));
  expect(beats.splice(0)).toEqual(['heartbeat backend-engineer', 'heartbeat worker']);
  await clock.advance(29_999);
  expect(beats).toEqual([]);
  alive.delete('page/1');
  await clock.advance(1);
  expect(beats.splice(0)).toEqual(['heartbeat backend-engineer']);
  expect([...noted]).toEqual([
    ['api/1', 30_000],
    ['page/1', 0],
  ]);
  close();
  await clock.advance(120_000);
  expect(beats).toEqual([]);
});

it('two tasks of one role are looked at each by itself, and beat for it once', async () => {
  const { clock, alive, beats, noted, tell } = beating();
  tell(...startOf('api'), ...startOf('db'));
  alive.add('db/1');
  await clock.advance(30_000);
  expect(beats).toEqual(['heartbeat backend-engineer', 'heartbeat backend-engineer']);
  expect([...noted]).toEqual([['db/1', 30_000]]);
  alive.add('api/1');
  await clock.advance(30_000);
  expect(beats).toHaveLength(3);
  expect(noted.get('api/1')).toBe(60_000);
});

it('a worker that had not said yet who it is is looked at again after a second', async () => {
  const { clock, alive, beats, tell } = beating();
  tell(...startOf('api'));
  alive.add('api/1');
  await clock.advance(999);
  expect(beats).toEqual([]);
  await clock.advance(1);
  expect(beats).toEqual(['heartbeat backend-engineer']);
});

it('a worker of an earlier host beats from the start, and none whose attempt has ended', async () => {
  const history = [
    ...[...startOf('api'), event('attempt.closed', 'api'), ...startOf('api', 2)],
    ...[...startOf('page'), event('attempt.replied', 'page')],
  ];
  const { clock, looked, tell } = beating({ history });
  expect(looked.splice(0)).toEqual(['api/2']);
  tell(event('attempt.accepted', 'api', 2));
  await clock.advance(30_000);
  expect(looked).toEqual([]);
});

it('who is not in the team is noted and beats for nobody; what can not be written or looked at is not missed', async () => {
  const { clock, alive, beats, noted, tell } = beating({ sendAll: false });
  alive.add('odd/1').add('api/1');
  tell(...startOf('odd'), ...startOf('api'));
  await clock.advance(60_000);
  expect(beats).toEqual([]);
  expect([...noted.values()]).toEqual([60_000, 60_000]);
});

const TWENTY_MINUTES: ReturnType<Parameters<typeof scriptedTransport>[0]> = {
  afterMs: 20 * 60_000,
  report: {
    kind: 'replied',
    reply: {
      ...{ type: 'task_result', task_id: 'api', attempt: 1, status: 'done' },
      ...{ artifacts: ['a'], notes_md: '' },
    },
  },
};

it('hard rule: a stale heartbeat kills and charges nobody', async () => {
  const { clock, beats, tell } = beating();
  const told: string[] = [];
  const tasks = TASKS.slice(0, 1);
  const over = run(tasks, {
    ...{ runId: 'r', clock, journal: memoryJournal() },
    transport: scriptedTransport(() => TWENTY_MINUTES, { clock }),
    onEvent(one) {
      told.push(one.type);
      tell(one);
    },
  });
  const { verdict } = await clock.runUntil(over);
  // Nobody was ever seen, for twenty minutes.
  expect([verdict, beats, clock.now() >= 20 * 60_000]).toEqual(['complete', [], true]);
  expect(told.filter((type) => type === 'attempt.started')).toHaveLength(1);
  expect(told).not.toContain('attempt.closed');
});
