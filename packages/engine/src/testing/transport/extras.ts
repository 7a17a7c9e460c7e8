import assert from 'node:assert/strict';
import type { ConformanceCase } from '../conformance-case.ts';
import { transportCase } from './bench.ts';
import type { TransportFixture } from './transport-fixture.ts';

/** What a transport may do beside. */
export const EXTRA_CASES: readonly ConformanceCase<TransportFixture>[] = [
  transportCase(
    'activity is a time that moves on with every sign of life, and never back',
    { parts: ['chatter'], activity: true },
    async ({ begin, stop, wait }) => {
      const { handle } = await begin('chatter');
      const read = () => {
        const active = handle.activity?.();
        assert(typeof active === 'number' && Number.isFinite(active), 'activity is no time');
        return active;
      };
      let last = read();
      for (const _ of [1, 2])
        last = await wait.until('activity moves on', () => {
          const active = read();
          assert(active >= last, 'activity went back');
          return active > last ? active : undefined;
        });
      await stop(handle);
    },
  ),
  transportCase(
    'a listener that throws changes nothing',
    { parts: ['reply-later'] },
    async ({ begin, report }) => {
      const { handle, reply } = await begin('reply-later');
      handle.subscribe?.(() => {
        throw new Error('a listener that fails');
      });
      const end = await report(handle);
      assert(end.kind === 'replied');
      assert.deepEqual(end.reply, reply);
    },
  ),
  transportCase(
    'release can be asked for again, and of an attempt that nobody knows',
    { parts: ['reply'], release: true },
    async ({ begin, report, transport, wait }) => {
      const { handle, order, reply } = await begin('reply');
      const end = await report(handle);
      const { runId, task } = order;
      for (const attempt of [1, 1, 2]) {
        const released = transport.release?.({ runId, task, attempt });
        await wait.within('release', Promise.resolve(released));
      }
      assert.equal(await report(handle), end);
      assert(end.kind === 'replied');
      assert.deepEqual(end.reply, reply);
    },
  ),
];
