import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodeMessage,
  MeetingBackstop,
  type MeetingOptions,
  type MessageWire,
  meetingHeld,
  memoryWire,
  openMeeting,
  recordMeeting,
} from '../src/index.ts';
import { codeOf } from './code-of.ts';

function bench(more: Partial<MeetingOptions> = {}) {
  let at = Date.parse('2026-01-01T00:00:00Z');
  const now = () => at;
  const wire = memoryWire({ now });
  const options = { wire, teamId: 't', chair: 'pm', members: ['be', 'fe', 'qa'], now, ...more };
  return {
    wire,
    open: (also: Partial<MeetingOptions> = {}) => openMeeting({ ...options, ...also }),
    pass: (ms: number) => {
      at += ms;
    },
  };
}

const reasonOf = (call: () => unknown): unknown => {
  try {
    call();
    return undefined;
  } catch (error) {
    return error instanceof MeetingBackstop ? error.reason : error;
  }
};

const perTurn = (wire: MessageWire) =>
  wire.messages({ teamId: 't' }).map(({ turn, recipient }) => `${turn}${recipient}`);

describe('a message', () => {
  it('TB-30: goes to each participant but its sender, typed, and to nobody else', () => {
    const { wire, open } = bench();
    const meeting = open();
    expect(meeting.post({ baseKey: '1', body: { says: 'x' } })).toMatchObject({
      turn: 1,
      messageCount: 1,
    });
    meeting.post({ baseKey: '2', body: { says: 'y' }, sender: 'fe', type: 'persona_gap' });
    expect(perTurn(wire)).toEqual(['1be', '1fe', '1qa', '2pm', '2be', '2qa']);
    expect(wire.rows.map((row) => decodeMessage(row)?.type)).toEqual([
      ...['team_meeting', 'team_meeting', 'team_meeting'],
      ...['persona_gap', 'persona_gap', 'persona_gap'],
    ]);
  });

  it('TB-31: has a key of its own for each recipient, and a replay of it is stored nowhere', () => {
    const { wire, open } = bench();
    const meeting = open();
    meeting.post({ baseKey: '1', body: { says: 'x' } });
    const before = structuredClone(wire.rows);
    expect(new Set(before.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(3);
    const again = meeting.post({ baseKey: '1', body: { says: 'another' } });
    expect(again).toMatchObject({ turn: 1, messageCount: 1 });
    expect(again.sent.every(({ deduped }) => deduped)).toBe(true);
    expect(wire.rows).toEqual(before);
  });

  it('TB-30: reaches all or nobody', () => {
    const now = () => 0;
    const wire = memoryWire({ now, isMember: (_, roleId) => roleId !== 'qa' });
    const meeting = openMeeting({
      ...{ wire, teamId: 't', chair: 'pm', members: ['be', 'fe', 'qa'], now },
    });
    expect(codeOf(() => meeting.post({ baseKey: '1', body: {} }))).toBe('WIRE_NOT_A_MEMBER');
    expect(wire.rows).toEqual([]);
    expect(meeting.state()).toMatchObject({ messageCount: 0, firstMessageAt: null });
  });

  it('answers a turn, by the number that each recipient knows it under', () => {
    const { wire, open } = bench();
    wire.sendAll([
      { teamId: 't', recipient: 'be', senderId: 'pm', kind: 'reply', payload: 'private' },
    ]);
    const meeting = open();
    meeting.post({ baseKey: '1', body: { says: 'x' } });
    meeting.post({ baseKey: '2', body: { says: 'y' }, sender: 'fe', replyTo: 1 });
    const causes = wire.rows.slice(-3).map(({ recipient, causalRef }) => [recipient, causalRef]);
    expect(causes).toEqual([
      ['pm', null],
      ['be', 2],
      ['qa', 1],
    ]);
    expect(meeting.transcript().map(({ replyTo, body }) => [replyTo, body])).toEqual([
      [null, { says: 'x' }],
      [1, { says: 'y' }],
    ]);
  });

  it.each([
    ['a body that is no object', { body: [] }],
    ['a key of the wire', { body: { _mtype: 'meeting_done' } }],
    ['another key that the wire could take for its own', { body: { _x: 1 } }],
    ['a type that is not for posts', { type: 'meeting_done' }],
    ['an answer to nothing', { replyTo: 0 }],
  ])('with %s is refused', (_, more) => {
    const { wire, open } = bench();
    const post = { baseKey: '1', body: {}, ...more } as never;
    expect(codeOf(() => open().post(post))).toBe('MEETING_INVALID_POST');
    expect(wire.rows).toEqual([]);
  });

  it('from somebody who is not there, or under a blank key, is refused', () => {
    const { open } = bench();
    expect(codeOf(() => open().post({ baseKey: '1', body: {}, sender: 'x' }))).toBe(
      'MEETING_NOT_A_PARTICIPANT',
    );
    expect(codeOf(() => open().post({ baseKey: ' ', body: {} }))).toBe('INVALID_TEXT');
  });
});

describe('a backstop', () => {
  it('TB-33: lets 200 messages through and refuses the 201st, however still the clock stands', () => {
    const { wire, open } = bench({ members: ['be'] });
    const meeting = open();
    for (let one = 1; one <= 200; one += 1) meeting.post({ baseKey: `${one}`, body: {} });
    expect(reasonOf(() => meeting.post({ baseKey: '201', body: {} }))).toBe('message_count');
    expect(wire.rows).toHaveLength(200);
    // A replay is no new message.
    expect(meeting.post({ baseKey: '200', body: {} }).messageCount).toBe(200);
    expect(meeting.state().partialReason).toBe('message_count');
  });

  it('TB-33: ends an hour after the first message, with one message, replays too, and before the count', () => {
    const { wire, open, pass } = bench({ caps: { messages: 1 } });
    const meeting = open();
    pass(10_000_000);
    meeting.post({ baseKey: '1', body: {} });
    pass(3_599_999);
    meeting.post({ baseKey: '1', body: {} });
    pass(1);
    expect(reasonOf(() => meeting.post({ baseKey: '1', body: {} }))).toBe('wall_clock');
    expect(reasonOf(() => meeting.post({ baseKey: '2', body: {} }))).toBe('wall_clock');
    expect(wire.rows).toHaveLength(3);
  });

  it('TB-32: counts on where an earlier process stopped, and from its first message', () => {
    const { open, pass } = bench({ caps: { messages: 2, wallClockMs: 100 } });
    open().post({ baseKey: '1', body: {} });
    pass(60);
    open().post({ baseKey: '2', body: {} });
    expect(open().state()).toMatchObject({ messageCount: 2, closed: false });
    expect(reasonOf(() => open().post({ baseKey: '3', body: {} }))).toBe('message_count');
    pass(40);
    expect(reasonOf(() => open().post({ baseKey: '3', body: {} }))).toBe('wall_clock');
  });
});

describe('the minutes', () => {
  it('TB-34: of a meeting that was done are not partial, and are sent to everybody once', () => {
    const { wire, open } = bench();
    const meeting = open();
    meeting.post({ baseKey: 'x', body: {} });
    const closed = meeting.close({ summary: 'We agree.', decisions: ['D'], openPoints: ['O'] });
    expect(closed.minutes).toEqual({
      ...{ summary: 'We agree.', decisions: ['D'], openPoints: ['O'], messageCount: 1 },
      ...{ partial: false, partialReason: null },
    });
    expect(wire.rows.slice(-3).map((row) => decodeMessage(row)?.type)).toEqual([
      ...['meeting_done', 'meeting_done', 'meeting_done'],
    ]);
    const again = { minutes: closed.minutes, sent: [] };
    expect(open().close({ summary: 'Other.' })).toEqual(again);
    expect(open({ chair: 'be', members: ['pm', 'fe'] }).close({ summary: 'Mine.' })).toEqual(again);
    expect(wire.rows).toHaveLength(6);
  });

  it('TB-34: can be written before any message, and after a backstop are PARTIAL with its reason', () => {
    const empty = bench();
    expect(empty.open().close({ summary: 'Nobody came.' }).minutes).toMatchObject({
      ...{ partial: false, messageCount: 0 },
    });
    const { open } = bench({ caps: { messages: 1 } });
    const meeting = open();
    meeting.post({ baseKey: '1', body: {} });
    expect(reasonOf(() => meeting.post({ baseKey: '2', body: {} }))).toBe('message_count');
    expect(meeting.close({ summary: 'So far.' }).minutes).toMatchObject({
      ...{ partial: true, partialReason: 'message_count', messageCount: 1 },
    });
  });

  it('TB-35: are never without a summary', () => {
    const { wire, open } = bench();
    expect(codeOf(() => open().close({ summary: ' ' }))).toBe('INVALID_TEXT');
    expect(wire.rows).toEqual([]);
  });

  it('are written though a message has used the key of them', () => {
    const { wire, open } = bench();
    const meeting = open();
    for (const baseKey of ['meeting_done', 'close', 'plan-phase'])
      meeting.post({ baseKey, body: {} });
    expect(meeting.close({ summary: 'Done.' }).sent.some(({ deduped }) => deduped)).toBe(false);
    expect(wire.rows.at(-1)?.mtype).toBe('meeting_done');
  });

  it('end a meeting: nothing is said after them, and the team holds no other', () => {
    const { wire, open } = bench();
    expect(meetingHeld(wire, 't')).toBe(false);
    open().close({ summary: 'Done.' });
    expect(meetingHeld(wire, 't')).toBe(true);
    expect(meetingHeld(wire, 'u')).toBe(false);
    expect(codeOf(() => open().post({ baseKey: '1', body: {} }))).toBe('MEETING_CLOSED');
    expect(codeOf(() => open({ meetingId: 'again' }))).toBe('MEETING_HELD');
    expect(open().minutes()?.summary).toBe('Done.');
  });
});

it('a meeting needs somebody beside its chair', () => {
  const { open } = bench();
  expect(codeOf(() => open({ members: [] }))).toBe('MEETING_NOBODY');
  expect(codeOf(() => open({ members: ['pm', 'pm'] }))).toBe('MEETING_NOBODY');
});

it('TB-36: members with different inboxes have the turns in one order, and private messages in none', () => {
  const { wire, open } = bench();
  const meeting = open();
  for (const [turn, sender] of ['pm', 'qa', 'be', 'pm'].entries()) {
    meeting.post({ baseKey: `${turn}`, body: { says: `${turn}` }, sender });
    wire.sendAll([
      { teamId: 't', recipient: 'be', senderId: 'qa', kind: 'reply', payload: 'between us' },
    ]);
  }
  expect(meeting.transcript().map(({ turn, body }) => [turn, body?.['says']])).toEqual([
    [1, '0'],
    [2, '1'],
    [3, '2'],
    [4, '3'],
  ]);
  expect(meeting.transcript().map(({ senderId }) => senderId)).toEqual(['pm', 'qa', 'be', 'pm']);
});

it('whatever is posted and replayed, by however many processes: each message counts once and no inbox has a gap', () => {
  const members = ['be', 'fe'];
  const posts = fc.array(
    fc.record({
      key: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      sender: fc.constantFrom('pm', ...members),
      anew: fc.boolean(),
    }),
    { maxLength: 20 },
  );
  fc.assert(
    fc.property(posts, (all) => {
      const { wire, open } = bench({ members });
      let meeting = open();
      for (const { key, sender, anew } of all) {
        if (anew) meeting = open();
        meeting.post({ baseKey: `${sender} ${key}`, sender, body: { says: key } });
      }
      const distinct = new Set(all.map(({ key, sender }) => `${sender} ${key}`)).size;
      expect(meeting.state().messageCount).toBe(distinct);
      expect(meeting.transcript().map(({ turn }) => turn)).toEqual(
        Array.from({ length: distinct }, (_, index) => index + 1),
      );
      for (const one of ['pm', ...members]) {
        const seqs = wire.rows.filter(({ recipient }) => recipient === one).map(({ seq }) => seq);
        expect(seqs).toEqual(seqs.map((_, index) => index + 1));
      }
    }),
    { numRuns: 60 },
  );
});

describe('a meeting of people', () => {
  const entries = [
    { sender: 'pm', text: 'Shall we?' },
    { sender: 'be', text: 'Yes.', replyTo: 1 },
  ];

  it('is recorded once, however often', () => {
    const { wire, open } = bench();
    const closing = { summary: 'We shall.', decisions: ['To do it.'] };
    const { minutes } = recordMeeting(open(), entries, closing);
    expect(minutes).toMatchObject({ messageCount: 2, partial: false });
    const rows = wire.rows.length;
    expect(recordMeeting(open(), entries, closing).minutes).toEqual(minutes);
    expect(wire.rows).toHaveLength(rows);
    expect(open().transcript()[1]).toMatchObject({ senderId: 'be', replyTo: 1 });
  });

  it('that is too long is recorded as far as there is room, and is PARTIAL', () => {
    const { open } = bench({ caps: { messages: 1 } });
    const { minutes } = recordMeeting(open(), entries, { summary: 'We shall.' });
    expect(minutes).toMatchObject({ partial: true, messageCount: 1 });
  });
});
