import { createHash } from 'node:crypto';
import SqliteDatabase from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { storePath } from '../../test/store-file.ts';
import { tamper } from '../../test/tamper.ts';
import { keyOf, message, registerTeam, TEAM, teamAt } from '../../test/team-file.ts';
import { openStore } from '../open-store.ts';
import { MESSAGE_TYPES, type OutgoingMessage, WIRE_KINDS } from './message.ts';

const coded = (code: string) => expect.objectContaining({ name: 'StoreError', code });

describe('TB-01 a message that can not be sent is refused, and nothing is written', () => {
  const wrong = (fields: object) => ({ ...message(), ...fields }) as OutgoingMessage;
  const long = 'x'.repeat(1_048_577);

  test.each([
    ['an unknown kind', { kind: 'broadcast' }, 'STORE_BAD_MESSAGE'],
    ['an unknown type', { mtype: 'order' }, 'STORE_BAD_MESSAGE'],
    ['a type on what is no reply', { kind: 'spawn', mtype: 'team_meeting' }, 'STORE_BAD_MESSAGE'],
    ['a turn without a meeting', { turn: 1 }, 'STORE_BAD_MESSAGE'],
    ['a meeting without a turn', { meetingId: 'm' }, 'STORE_BAD_MESSAGE'],
    ['turn 0', { meetingId: 'm', turn: 0 }, 'STORE_BAD_MESSAGE'],
    ['a meeting whose name has a control', { meetingId: 'm\n', turn: 1 }, 'STORE_BAD_NAME'],
    ['half a wave', { wave: 0.5 }, 'STORE_BAD_MESSAGE'],
    ['an unknown sender', { senderId: 'eve' }, 'STORE_NOT_A_MEMBER'],
    ['an unknown recipient', { recipient: 'eve' }, 'STORE_NOT_A_MEMBER'],
    ['an unknown team', { teamId: 't9' }, 'STORE_NO_SUCH_TEAM'],
    ['a reference to itself', { causalRef: 2 }, 'STORE_BAD_MESSAGE'],
    ['a body over 1 MiB', { payload: long }, 'STORE_MESSAGE_TOO_LARGE'],
    [
      'TB-07 a key of 26 exclamation marks',
      { idempotencyKey: '!'.repeat(26) },
      'STORE_BAD_MESSAGE',
    ],
    ['TB-07 a key with an I', { idempotencyKey: 'I'.repeat(26) }, 'STORE_BAD_MESSAGE'],
    ['TB-07 a key of 64 hex digits', { idempotencyKey: 'A'.repeat(64) }, 'STORE_BAD_MESSAGE'],
    ['TB-07 a key in lower case', { idempotencyKey: 'a'.repeat(26) }, 'STORE_BAD_MESSAGE'],
  ])('%s', (_, fields, code) => {
    const { wire } = teamAt(':memory:');
    expect(() => wire.sendAll([message(), wrong(fields)])).toThrow(coded(code));
    expect(wire.messages({ teamId: TEAM })).toEqual([]);
  });

  test('the kind comes before the key, the key before the size, the size before the sender', () => {
    const { wire } = teamAt(':memory:');
    const faults = { kind: 'x', idempotencyKey: '!', payload: long, senderId: 'eve' };
    const said = (fields: object) => {
      try {
        wire.sendAll([wrong(fields)]);
        return 'sent';
      } catch (error) {
        return String(error);
      }
    };
    const { kind, ...later } = faults;
    const { idempotencyKey, ...last } = later;
    expect(said(faults)).toContain(`its kind is ${kind}`);
    expect(said(later)).toContain(`its key is ${idempotencyKey}`);
    expect(said(last)).toContain('it is over 1048576 bytes');
  });

  test('nobody to send to is no message', () => {
    expect(() => teamAt(':memory:').wire.sendAll([])).toThrow(coded('STORE_BAD_MESSAGE'));
  });

  test('ST-13 a wire of another version is refused by name, for readers too', () => {
    const path = storePath();
    const { wire } = teamAt(path);
    wire.sendAll([message()]);
    tamper(path, 'PRAGMA user_version = 2');
    const refusal = coded('STORE_WIRE_VERSION');
    expect(() => wire.sendAll([message()])).toThrow(refusal);
    expect(() => wire.read({ teamId: TEAM, roleId: 'lead' })).toThrow(refusal);
    expect(() => wire.messages({ teamId: TEAM })).toThrow(refusal);
  });
});

test.each(WIRE_KINDS)('a message of kind %s is stored as it is', (kind) => {
  const { wire } = teamAt(':memory:');
  wire.sendAll([message({ kind, wave: 3 })]);
  expect(wire.messages({ teamId: TEAM })).toMatchObject([
    { id: 1, seq: 1, kind, mtype: null, wave: 3, senderId: 'ann', payload: 'hello' },
  ]);
});

test('TB-18 the type of a message is in a column of its own, whatever its size', () => {
  const { wire } = teamAt(':memory:');
  const long = 'x'.repeat(5_000);
  wire.sendAll(MESSAGE_TYPES.map((mtype) => message({ mtype, payload: long })));
  wire.sendAll([message({ payload: '{"_mtype":"meeting_done"}' })]);
  expect(wire.messages({ teamId: TEAM }).map(({ mtype }) => mtype)).toEqual([
    ...MESSAGE_TYPES,
    null,
  ]);
  expect(wire.messages({ teamId: TEAM, mtype: 'meeting_done' })).toMatchObject([{ payload: long }]);
});

describe('TB-02 a long payload is kept beside the wire', () => {
  const inbox = { teamId: TEAM, roleId: 'lead', sinceSeq: 0 };

  test.each([
    ['4,096 bytes', 'x'.repeat(4_096), false],
    ['4,097 bytes', 'x'.repeat(4_097), true],
    ['4,096 bytes in 2,048 characters', 'é'.repeat(2_048), false],
    ['4,098 bytes in 2,049 characters', 'é'.repeat(2_049), true],
    ['1 MiB', 'x'.repeat(1_048_576), true],
  ])('%s', (_, payload, referenced) => {
    const { wire } = teamAt(':memory:');
    wire.sendAll([message({ payload })]);
    const [stored] = wire.read(inbox);
    expect(stored?.payloadRef).toBe(
      referenced ? createHash('sha256').update(payload).digest('hex') : null,
    );
    expect((stored?.payload ?? '').length < 200).toBe(referenced);
    expect(wire.read({ ...inbox, resolve: true })).toMatchObject([{ payload, problem: null }]);
  });

  test('the address of a body is that of its bytes', () => {
    const { wire } = teamAt(':memory:');
    wire.sendAll([message({ payload: 'éé' })], { refThresholdBytes: 3 });
    const [stored] = wire.read(inbox);
    const sha256 = createHash('sha256').update('éé').digest('hex');
    expect(stored).toMatchObject({ payload: `{"bytes":4,"payload_ref":"${sha256}"}` });
    expect(wire.resolve(TEAM, sha256)).toEqual({ kind: 'body', body: 'éé' });
  });

  test.each([0, -1, 1.5, 8_192, 100_000, Number.NaN, Number.POSITIVE_INFINITY])(
    'TB-04 a threshold of %s counts as 4,096',
    (refThresholdBytes) => {
      const { wire } = teamAt(':memory:');
      const payloads = [4_096, 4_097].map((length) => message({ payload: 'x'.repeat(length) }));
      wire.sendAll(payloads, { refThresholdBytes });
      expect(wire.read(inbox).map(({ payloadRef }) => payloadRef !== null)).toEqual([false, true]);
    },
  );

  test('a store may have another threshold, and whoever sends with one of their own has that', () => {
    const store = openStore({ path: ':memory:', refThresholdBytes: 3 });
    const { wire } = registerTeam(store, 'ann');
    wire.sendAll([message({ payload: 'long' }), message({ payload: 'no!' })]);
    wire.sendAll([message({ payload: 'long' })], { refThresholdBytes: 4 });
    expect(wire.read(inbox).map(({ payloadRef }) => payloadRef !== null)).toEqual([
      true,
      false,
      false,
    ]);
    store.close();
  });

  test('one body is kept once, however many get it', () => {
    const path = storePath();
    const { wire } = teamAt(path);
    const payload = 'x'.repeat(5_000);
    wire.sendAll([message({ payload }), message({ payload, recipient: 'bob' })]);
    const database = new SqliteDatabase(path, { readonly: true });
    expect(database.prepare('SELECT byte_len FROM bridge_payloads').pluck().all()).toEqual([5_000]);
    expect(database.prepare('SELECT DISTINCT byte_len FROM bridge_messages').pluck().get()).toBe(
      JSON.stringify({ bytes: 5_000, payload_ref: 'x'.repeat(64) }).length,
    );
    database.close();
  });

  test('TB-12 a body that was changed or lost is told as such, and never shown', () => {
    const path = storePath();
    const { wire } = teamAt(path);
    const payload = 'y'.repeat(5_000);
    wire.sendAll([message({ payload })]);
    const address = wire.read(inbox)[0]?.payloadRef ?? '';
    tamper(path, "UPDATE bridge_payloads SET body = replace(body, 'y', 'z')");
    const resolved = { ...inbox, resolve: true };
    expect(wire.read(resolved)).toMatchObject([{ payload: null, problem: 'sha-mismatch' }]);
    expect(wire.messages({ teamId: TEAM })).toMatchObject([{ payload: null }]);
    expect(wire.resolve(TEAM, address)).toEqual({ kind: 'sha-mismatch' });
    tamper(path, 'PRAGMA foreign_keys = OFF; DELETE FROM bridge_payloads');
    expect(wire.read(resolved)).toMatchObject([{ payload: null, problem: 'not-found' }]);
    expect(wire.resolve(TEAM, address)).toEqual({ kind: 'not-found' });
  });

  test('TB-12 text that looks like a reference is none', () => {
    const { wire } = teamAt(':memory:');
    const payload = `{"bytes":4,"payload_ref":"${'a'.repeat(64)}"}`;
    wire.sendAll([message({ payload })]);
    expect(wire.read({ ...inbox, resolve: true })).toMatchObject([{ payload, payloadRef: null }]);
  });
});

describe('TB-05 a key is used once in a team', () => {
  const idempotencyKey = keyOf(7);

  test('a replay tells of the first message, and stores nothing', () => {
    const { wire } = teamAt(':memory:');
    const [first] = wire.sendAll([message({ idempotencyKey })]);
    const long = 'x'.repeat(5_000);
    wire.sendAll([message()]);
    expect(wire.sendAll([message({ idempotencyKey, payload: long })])).toEqual([
      { ...first, deduped: true },
    ]);
    expect(wire.messages({ teamId: TEAM }).map(({ payload }) => payload)).toEqual([
      'hello',
      'hello',
    ]);
    expect(wire.resolve(TEAM, createHash('sha256').update(long).digest('hex'))).toEqual({
      kind: 'not-found',
    });
  });

  test('twice in one call is once', () => {
    const sent = teamAt(':memory:').wire.sendAll([
      message({ idempotencyKey }),
      message({ idempotencyKey, recipient: 'bob' }),
    ]);
    expect(sent).toMatchObject([
      { recipient: 'lead', seq: 1, deduped: false },
      { recipient: 'lead', seq: 1, deduped: true },
    ]);
  });
});

test('seq counts from 1 for each recipient, and a fan-out is told in its own order', () => {
  const { wire } = teamAt(':memory:');
  const all = ['lead', 'bob', 'lead', 'ann'].map((recipient) => message({ recipient }));
  expect(wire.sendAll(all)).toMatchObject([
    { recipient: 'lead', seq: 1 },
    { recipient: 'bob', seq: 1 },
    { recipient: 'lead', seq: 2 },
    { recipient: 'ann', seq: 1 },
  ]);
  expect(wire.sendAll([message({ causalRef: 2 })])).toMatchObject([{ seq: 3 }]);
  expect(wire.lastSeq(TEAM, 'lead')).toBe(3);
  expect(wire.lastSeq(TEAM, 'nobody')).toBe(0);
});
