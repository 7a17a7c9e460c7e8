import { describe, expect, test } from 'vitest';
import { message, TEAM, teamAt } from '../../test/team-file.ts';

const coded = (code: string) => expect.objectContaining({ name: 'StoreError', code });

test('a meeting is read by its id, in the order of writing, from where the last look ended', () => {
  const { wire } = teamAt(':memory:');
  const turn = (number: number, meetingId = 'm1') =>
    ['lead', 'bob'].map((recipient) =>
      message({ recipient, meetingId, turn: number, mtype: 'team_meeting' }),
    );
  wire.sendAll(turn(1));
  wire.sendAll([message({ recipient: 'bob' }), ...turn(1, 'm2')]);
  wire.sendAll(turn(2));
  const said = wire.messages({ teamId: TEAM, meetingId: 'm1' });
  expect(said.map(({ turn: number, recipient, seq }) => [number, recipient, seq])).toEqual([
    [1, 'lead', 1],
    [1, 'bob', 1],
    [2, 'lead', 3],
    [2, 'bob', 4],
  ]);
  const afterId = said[1]?.id ?? 0;
  expect(wire.messages({ teamId: TEAM, meetingId: 'm1', afterId })).toEqual(said.slice(2));
  expect(wire.messages({ teamId: TEAM, meetingId: 'm1', mtype: 'meeting_done' })).toEqual([]);
  expect(wire.messages({ teamId: TEAM })).toHaveLength(7);
});

describe('an inbox is read by its owner, and its cursor never goes back', () => {
  const inbox = { teamId: TEAM, roleId: 'lead' };

  function fiveMessages() {
    const { wire } = teamAt(':memory:');
    wire.sendAll(['1', '2', '3', '4', '5'].map((payload) => message({ payload })));
    const payloads = (query: object) =>
      wire.read({ ...inbox, ...query }).map(({ payload }) => Number(payload));
    return { wire, payloads, cursor: () => wire.cursor(TEAM, 'lead') };
  }

  test('from the cursor on, by default', () => {
    const { payloads, cursor } = fiveMessages();
    expect(payloads({ limit: 2 })).toEqual([1, 2]);
    expect(payloads({})).toEqual([3, 4, 5]);
    expect(payloads({})).toEqual([]);
    expect(cursor()).toBe(5);
  });

  test('who reads the beginning again does not move it back', () => {
    const { payloads, cursor } = fiveMessages();
    payloads({});
    expect(payloads({ sinceSeq: 0, limit: 1 })).toEqual([1]);
    expect(cursor()).toBe(5);
  });

  test('who only looks does not move it', () => {
    const { payloads, cursor } = fiveMessages();
    expect(payloads({ advance: false })).toEqual([1, 2, 3, 4, 5]);
    expect(payloads({ advance: false, sinceSeq: 3 })).toEqual([4, 5]);
    expect(cursor()).toBe(0);
  });

  test('who acts first and marks then moves it forward, to what is there', () => {
    const { wire, payloads, cursor } = fiveMessages();
    const mark = (seq: number, roleId = 'lead') => wire.markRead({ teamId: TEAM, roleId, seq });
    mark(3);
    mark(2);
    expect(cursor()).toBe(3);
    expect(payloads({})).toEqual([4, 5]);
    for (const seq of [0, 6, 1.5]) expect(() => mark(seq)).toThrow(coded('STORE_BAD_RANGE'));
    expect(() => mark(1, 'eve')).toThrow(coded('STORE_NOT_A_MEMBER'));
    expect(cursor()).toBe(5);
  });

  test.each([{ limit: 0 }, { limit: -1 }, { limit: 5_001 }, { limit: 1.5 }, { sinceSeq: -1 }])(
    'TB-15 %s is refused',
    (range) => {
      const { payloads, cursor } = fiveMessages();
      expect(() => payloads(range)).toThrow(coded('STORE_BAD_RANGE'));
      expect(cursor()).toBe(0);
    },
  );

  test('TB-10 nobody reads the inbox of a stranger', () => {
    const { wire } = fiveMessages();
    const refused = (query: object, code: string) =>
      expect(() => wire.read({ ...inbox, ...query })).toThrow(coded(code));
    refused({ teamId: 't9', roleId: 'eve' }, 'STORE_NO_SUCH_TEAM');
    refused({ roleId: 'eve' }, 'STORE_NOT_A_MEMBER');
  });
});

describe('heartbeats', () => {
  test('TB-10 are read only by who asks for them', () => {
    const { wire } = teamAt(':memory:');
    wire.sendAll([message({ kind: 'heartbeat', payload: '' }), message()]);
    const kinds = (query: object) =>
      wire.read({ teamId: TEAM, roleId: 'lead', sinceSeq: 0, ...query }).map(({ kind }) => kind);
    expect(kinds({})).toEqual(['reply']);
    expect(kinds({ heartbeats: true })).toEqual(['heartbeat', 'reply']);
  });

  test('TB-20 the newest of each sender is told, by team and role', () => {
    const { wire } = teamAt(':memory:');
    expect(wire.heartbeats()).toEqual([]);
    const beat = (senderId: string) =>
      wire.sendAll([message({ senderId, kind: 'heartbeat', payload: '' })]);
    for (const sender of ['bob', 'ann', 'bob']) beat(sender);
    wire.sendAll([message({ senderId: 'lead', recipient: 'bob' })]);
    const newest = Object.fromEntries(
      wire.messages({ teamId: TEAM }).map(({ senderId, createdAt }) => [senderId, createdAt]),
    );
    expect(wire.heartbeats()).toEqual([
      [TEAM, 'ann', newest['ann']],
      [TEAM, 'bob', newest['bob']],
    ]);
  });
});
