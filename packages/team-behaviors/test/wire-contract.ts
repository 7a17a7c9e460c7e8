import { expect, it } from 'vitest';
import { type MessageWire, type OutgoingMessage, recipientKey } from '../src/index.ts';

/** A wire where team `t` has the members `lead`, `a` and `b`, and team `u` has `lead` and `a`. */
export type WireMaker = () => MessageWire;

/** What every wire promises to the meeting. */
export function wireContract(make: WireMaker): void {
  const message = (recipient: string, more: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
    ...{ teamId: 't', recipient, senderId: 'lead', kind: 'reply', payload: '{}' },
    ...more,
  });

  it('TB-06: each recipient has the numbers from 1 on, without a gap', () => {
    const wire = make();
    const sent = wire.sendAll([message('a'), message('b'), message('a'), message('a')]);
    expect(sent.map(({ recipient, seq }) => `${recipient}${seq}`)).toEqual([
      'a1',
      'b1',
      'a2',
      'a3',
    ]);
  });

  it('TB-05: a known key gives the number of the first message, and nothing is stored', () => {
    const wire = make();
    const idempotencyKey = recipientKey('m', 'a');
    wire.sendAll([message('a'), message('a', { idempotencyKey, payload: 'first' })]);
    const again = wire.sendAll([message('a', { idempotencyKey, payload: 'second' })]);
    expect(again).toMatchObject([{ recipient: 'a', seq: 2, deduped: true }]);
    expect(wire.messages({ teamId: 't' }).map(({ payload }) => payload)).toEqual(['{}', 'first']);
    expect(wire.sendAll([message('a', { teamId: 'u', idempotencyKey })])).toMatchObject([
      { seq: 1, deduped: false },
    ]);
  });

  it('TB-30: all messages of a call are stored, or none', () => {
    const wire = make();
    const bad = message('b', { idempotencyKey: '!'.repeat(26) });
    expect(() => wire.sendAll([message('a'), bad])).toThrow();
    expect(() => wire.sendAll([message('a'), message('nobody')])).toThrow();
    expect(wire.messages({ teamId: 't' })).toEqual([]);
  });

  it('TB-18: type, meeting and turn are found again, also for a long message', () => {
    const wire = make();
    const payload = JSON.stringify({ text: 'é'.repeat(5000) });
    const more = { mtype: 'team_meeting', meetingId: 'm', turn: 7, payload } as const;
    wire.sendAll([message('a'), message('a', more), message('b', { ...more, meetingId: 'n' })]);
    const [row, ...others] = wire.messages({ teamId: 't', meetingId: 'm', mtype: 'team_meeting' });
    expect(others).toEqual([]);
    expect(row).toMatchObject({ ...more, recipient: 'a', senderId: 'lead', seq: 2 });
    expect(row?.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u);
    expect(wire.messages({ teamId: 't', meetingId: 'm', afterId: row?.id ?? 0 })).toEqual([]);
    expect(wire.messages({ teamId: 'u', meetingId: 'm' })).toEqual([]);
  });
}
