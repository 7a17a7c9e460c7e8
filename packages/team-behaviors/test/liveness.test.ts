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

it('TB-22: a host tells who lives from the process, and a clock that goes back takes nothing back', () => {
  let at = 30_000;
  const lives = liveness({ now: () => at });
  lives.seen('t', 'be');
  at = 10_000;
  lives.seen('t', 'be');
  lives.seen('t', 'fe');
  expect(lives.readHeartbeats()).toEqual([
    ['t', 'be', '1970-01-01T00:00:30.000Z'],
    ['t', 'fe', '1970-01-01T00:00:10.000Z'],
  ]);
  lives.gone('t', 'fe');
  lives.gone('t', 'nobody');
  expect(lives.readHeartbeats()).toHaveLength(1);
});

it('a stale heartbeat stops nobody: what tells of lives has nothing to stop with', () => {
  let at = 0;
  const lives = liveness({ now: () => at });
  lives.seen('t', 'be');
  at = 1e12;
  expect(lives.readHeartbeats()).toEqual([['t', 'be', '1970-01-01T00:00:00.000Z']]);
  expect(Object.keys(lives).sort()).toEqual(['gone', 'readHeartbeats', 'seen']);
});
