import assert from 'node:assert/strict';
import type { ConformanceCase } from '../conformance-case.ts';
import { doneOf } from '../done-of.ts';
import type { Behaviour } from '../part.ts';
import { assertFailure, assertReplyOrFailure, transportCase } from './bench.ts';
import type { TransportFixture } from './transport-fixture.ts';

/** A reply that says what no reply may say; whether it counts is not for a transport to know. */
const PREPOSTEROUS = {
  type: 'task_result',
  task_id: 'another task',
  attempt: 99,
  status: 'magnificent',
  artifacts: 'none',
  _engine_abandon: true,
};

/** Longer than one line of a pipe or of a terminal, and in several scripts. */
const LONG_NOTES =
  '"quotes" \\ $(id) `id` %s \u2028 \u001b[2J 👩‍👩‍👧 é e\u0301 日本 \ud83d '.repeat(700);

const ends = (behaviour: Behaviour): ConformanceCase<TransportFixture> =>
  transportCase(
    `a worker with the part ${behaviour} is a failed report, never a rejection`,
    { parts: [behaviour] },
    async ({ begin, report, gone }) => {
      const { handle, order } = await begin(behaviour, { reply: '' });
      const end = await report(handle);
      assertFailure(end);
      assert.equal(await report(handle), end);
      await gone(order);
    },
  );

/** What becomes of a worker that ends by itself. */
export const REPLY_CASES: readonly ConformanceCase<TransportFixture>[] = [
  transportCase('it says what it is and what it can', {}, async ({ transport }) => {
    const { name, capabilities, adopt } = transport;
    assert(typeof name === 'string' && name !== '');
    assert.equal(typeof capabilities.adopt, 'boolean');
    assert.equal(capabilities.adopt && typeof adopt !== 'function', false);
    assert(['kills', 'detaches'].includes(capabilities.stop));
  }),
  transportCase(
    'a reply is handed over as it is, once and for all',
    { parts: ['reply'] },
    async ({ begin, report, gone }) => {
      const { handle, order, reply } = await begin('reply');
      const end = await report(handle);
      assert.deepEqual({ ...end, usage: undefined }, { kind: 'replied', reply, usage: undefined });
      assert.equal(await report(handle), end);
      await gone(order);
    },
  ),
  transportCase(
    'a long reply in many scripts comes back as it was',
    { parts: ['reply'] },
    async ({ begin, report }) => {
      const { handle, reply } = await begin('reply', { reply: doneOf('T-1', 1, LONG_NOTES) });
      const end = await report(handle);
      assert(end.kind === 'replied');
      assert.deepEqual(end.reply, reply);
    },
  ),
  transportCase(
    'a reply that can not count is handed over or failed, and never judged',
    { parts: ['reply'] },
    async ({ begin, report }) => {
      const { handle } = await begin('reply', { reply: PREPOSTEROUS });
      assertReplyOrFailure(await report(handle), PREPOSTEROUS);
    },
  ),
  transportCase(
    'garbage is handed over or failed, and never a rejection',
    { parts: ['garbage'] },
    async ({ begin, report, gone }) => {
      for (const [index, text] of ['{"type": "task_result", "ta', 'null and void'].entries()) {
        const { handle, order } = await begin('garbage', { attempt: index + 1, reply: text });
        assertReplyOrFailure(await report(handle), text);
        await gone(order);
      }
    },
  ),
  ends('crash'),
  ends('exit-without-reply'),
  transportCase(
    'peek reads without consuming: the same twice, and the report still has it',
    { parts: ['reply-later', 'reply-then-hang'] },
    async ({ begin, peeked, report, stop, wait }) => {
      const lasting = await begin('reply-then-hang');
      assert.deepEqual(await peeked(lasting.handle), lasting.reply);
      assert.deepEqual(await wait.within('peek', lasting.handle.peek()), lasting.reply);
      await stop(lasting.handle);
      assertReplyOrFailure(await report(lasting.handle), lasting.reply);
      const { handle, reply } = await begin('reply-later', { attempt: 2 });
      const settled = handle.report.then(() => true);
      await wait.until('a reply or an end', async () => {
        const seen = (await handle.peek()) ?? undefined;
        return seen ?? (await Promise.race([settled, undefined]));
      });
      const end = await report(handle);
      assert(end.kind === 'replied');
      assert.deepEqual(end.reply, reply);
    },
  ),
  transportCase(
    'peek shows nothing while there is no reply',
    { parts: ['hang'] },
    async (bench) => {
      const { handle } = await bench.begin('hang');
      for (const _ of [1, 2])
        assert.equal((await bench.wait.within('peek', handle.peek())) ?? undefined, undefined);
      await bench.stop(handle);
    },
  ),
];
