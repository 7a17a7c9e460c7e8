import fc from 'fast-check';
import { expect, it } from 'vitest';
import { liveness, readHeartbeats } from '../src/index.ts';

it('TB-20: the newest sign of each role, by team and role; none when there was none', () => {
  const sign = (teamId: string, roleId: string, at: number) => ({ teamId, roleId, at });
  expect(readHeartbeats([])).toEqual([]);
  expect(
    readHeartbeats([
      ...[sign('u', 'be', 1), sign('t', 'fe', 5), sign('t', 'be', 9), sign('t', 'be', 3)],
    ]),
  ).toEqual([
    ['t', 'be', '1970-01-01T00:00:00.009Z'],
    ['t', 'fe', '1970-01-01T00:00:00.005Z'],
    ['u', 'be', '1970-01-01T00:00:00.001Z'],
  ]);
});

it('TB-20: the order of the signs makes no difference', () => {
  const name = fc.constantFrom('a', 'b', '\uffff', '\u{10000}', 'a","b');
  const signs = fc.array(fc.record({ teamId: name, roleId: name, at: fc.nat(9) }));
  fc.assert(
    fc.property(signs, (all) => {
      expect(readHeartbeats(all.toReversed())).toEqual(readHeartbeats(all));
    }),
    { numRuns: 100 },
  );
});

const api = { teamId: 't', roleId: 'be', taskId: 'api' };

it('a time that is no date is no sign: a worker sets the time of its own output', () => {
  const lives = liveness({ now: () => 0 });
  for (const at of [9e18, Number.NaN, Number.POSITIVE_INFINITY]) {
    lives.wrote(api, at);
    lives.seen(api, at);
  }
  expect([lives.lives(), lives.readHeartbeats()]).toEqual([[], []]);
});

it('TB-22: a host tells who lives from the process, and a clock that goes back takes nothing back', () => {
  let at = 30_000;
  const lives = liveness({ now: () => at });
  const page = { teamId: 't', roleId: 'fe', taskId: 'page' };
  lives.seen(api);
  at = 10_000;
  lives.seen(api);
  lives.seen(page);
  expect(lives.readHeartbeats()).toEqual([
    ['t', 'be', '1970-01-01T00:00:30.000Z'],
    ['t', 'fe', '1970-01-01T00:00:10.000Z'],
  ]);
  lives.gone(page);
  lives.gone({ ...page, taskId: 'nothing' });
  expect(lives.readHeartbeats()).toHaveLength(1);
});

it('TB-22: two tasks of one role are two lives and one heartbeat; what was written is not who lives', () => {
  const lives = liveness({ now: () => 9_000 });
  const db = { ...api, taskId: 'db' };
  lives.seen(db, 2_000);
  lives.wrote(db, 1_000);
  lives.seen(api);
  lives.seen(api, Number.NaN);
  lives.wrote({ ...api, roleId: 'ghost' }, 3_000);
  expect(lives.lives()).toEqual([
    { ...api, lastSeen: '1970-01-01T00:00:09.000Z' },
    {
      ...db,
      lastSeen: '1970-01-01T00:00:02.000Z',
      lastOutput: '1970-01-01T00:00:01.000Z',
    },
    { ...api, roleId: 'ghost', lastOutput: '1970-01-01T00:00:03.000Z' },
  ]);
  expect(lives.readHeartbeats()).toEqual([['t', 'be', '1970-01-01T00:00:09.000Z']]);
  lives.gone(api);
  expect(lives.readHeartbeats()).toEqual([['t', 'be', '1970-01-01T00:00:02.000Z']]);
});

it('a stale heartbeat stops nobody: what tells of lives has nothing to stop with', () => {
  let at = 0;
  const lives = liveness({ now: () => at });
  lives.seen(api);
  at = 1e12;
  expect(lives.readHeartbeats()).toEqual([['t', 'be', '1970-01-01T00:00:00.000Z']]);
  expect(Object.keys(lives).sort()).toEqual(['gone', 'lives', 'readHeartbeats', 'seen', 'wrote']);
});
