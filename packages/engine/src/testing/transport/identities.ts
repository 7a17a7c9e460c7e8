import assert from 'node:assert/strict';
import type { TaskId } from '../../core/task.ts';
import type { ConformanceCase } from '../conformance-case.ts';
import { doneOf } from '../done-of.ts';
import { transportCase } from './bench.ts';
import type { TransportFixture } from './transport-fixture.ts';

/** Ids that one careless spelling of a path, a key or a file name would fold into one. */
const LOOK_ALIKES: readonly TaskId[] = [
  ...['a/b', 'a-b', 'a_b', 'a b', 'a%2Fb'],
  ...['T', 't', 'T ', ' T', 'T.', 'T/1', 'T/1/1', 'T:1'],
  ...['\u00e9', 'e\u0301', '\u043e', 'o'],
  ...[1, '01', '1.0', '1e0'],
];

/** Ids that are hostile as a path, an argument or a line of a shell. */
const HOSTILE: readonly TaskId[] = [
  ...['..', '.', '../x', '../../etc/passwd', '/tmp/x', 'a\\b', '~', '-rf', '--help'],
  ...[
    '$(id)',
    '`id`',
    "'; exit 1; '",
    '"',
    '*',
    '%s%n',
    '{}',
    'a\u202eb',
    'constructor',
    '__proto__',
  ],
  ...['x'.repeat(200), '日本語'.repeat(60), '👩‍👩‍👧', 'CON', 'a.lock', -1, 9_007_199_254_740_991],
];

/** A crowd that is small enough for a transport whose workers are processes. */
const AT_ONCE = 6;

const apart = (name: string, ids: readonly TaskId[]): ConformanceCase<TransportFixture> =>
  transportCase(name, { parts: ['reply'] }, async ({ begin, report }) => {
    for (let from = 0; from < ids.length; from += AT_ONCE) {
      const begun = ids.slice(from, from + AT_ONCE).map((id) => begin('reply', { id }));
      for (const { handle, order, reply } of await Promise.all(begun)) {
        const end = await report(handle);
        assert(end.kind === 'replied', `${JSON.stringify(order.task.id)} ended as ${end.kind}`);
        assert.deepEqual(end.reply, reply);
      }
    }
  });

/** Whose reply is whose. */
export const IDENTITY_CASES: readonly ConformanceCase<TransportFixture>[] = [
  transportCase(
    'two attempts of one task never see each other’s reply',
    { parts: ['reply-then-hang', 'hang', 'reply'] },
    async ({ begin, peeked, report, stop, wait }) => {
      const first = await begin('reply-then-hang');
      assert.deepEqual(await peeked(first.handle), first.reply);
      const second = await begin('hang', { attempt: 2 });
      const seen = await wait.within('peek', second.handle.peek());
      assert.equal(seen ?? undefined, undefined);
      const third = await begin('reply', { attempt: 3 });
      const end = await report(third.handle);
      assert(end.kind === 'replied');
      assert.deepEqual(end.reply, third.reply);
      assert.deepEqual(await peeked(first.handle), first.reply);
      await stop(first.handle);
      await stop(second.handle);
      const last = await report(second.handle);
      assert.equal(last.kind, 'failed');
    },
  ),
  apart('tasks with ids that look alike never see each other’s reply', LOOK_ALIKES),
  apart('an id that is hostile as a path or an argument is only a name', HOSTILE),
  transportCase(
    'a number and the same text are one task, whose attempts stay apart',
    { parts: ['reply'] },
    async ({ begin, report }) => {
      const begun = await Promise.all([
        begin('reply', { id: 7, attempt: 1 }),
        begin('reply', { id: '7', attempt: 2 }),
        begin('reply', { id: '71', attempt: 1 }),
        begin('reply', { id: 7, attempt: 11 }),
      ]);
      for (const { handle, reply } of begun) {
        const end = await report(handle);
        assert(end.kind === 'replied');
        assert.deepEqual(end.reply, reply);
      }
    },
  ),
  transportCase(
    'a nonce that comes back is that of its own order',
    { parts: ['echo-nonce'] },
    async ({ begin, report }) => {
      const begun = await Promise.all([1, 2].map((attempt) => begin('echo-nonce', { attempt })));
      for (const { handle, order, reply } of begun) {
        const end = await report(handle);
        assert(end.kind === 'replied');
        const { nonce = order.nonce, ...rest } = Object(end.reply);
        assert.equal(nonce, order.nonce);
        assert.deepEqual(rest, reply);
      }
    },
  ),
  transportCase(
    'a reply with the nonce of another attempt fails, or still carries it',
    { parts: ['reply'] },
    async ({ begin, report }) => {
      const reply = { ...Object(doneOf('T-1', 1)), nonce: 'of another attempt' };
      const { handle } = await begin('reply', { reply });
      const end = await report(handle);
      if (end.kind === 'replied') assert.deepEqual(end.reply, reply);
    },
  ),
];
