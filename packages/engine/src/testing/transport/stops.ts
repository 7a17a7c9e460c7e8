import assert from 'node:assert/strict';
import type { ConformanceCase } from '../conformance-case.ts';
import { assertFailure, never, orderOf, transportCase } from './bench.ts';
import type { TransportFixture } from './transport-fixture.ts';

/** Longer than a transport takes to notice a reply. */
const LINGER_MS = 500;

/** What becomes of a worker that is ended. */
export const STOP_CASES: readonly ConformanceCase<TransportFixture>[] = [
  transportCase(
    'stop ends a worker that hangs, and its report settles as a failure',
    { parts: ['hang'] },
    async ({ begin, report, stop }) => {
      const { handle } = await begin('hang');
      await stop(handle);
      const end = await report(handle);
      assertFailure(end);
      assert.equal(await report(handle), end);
    },
  ),
  transportCase(
    'stop leaves no child: when it resolves, nothing lives',
    { parts: ['hang', 'reply-then-hang'], alive: true },
    async ({ begin, peeked, stop, gone, fixture, wait }) => {
      for (const [index, behaviour] of (['hang', 'reply-then-hang'] as const).entries()) {
        const { handle, order } = await begin(behaviour, { attempt: index + 1 });
        if (behaviour === 'reply-then-hang') await peeked(handle);
        else
          await wait.until(
            'a worker lives',
            async () => (await fixture.alive?.(order)) || undefined,
          );
        await stop(handle);
        await gone(order);
      }
    },
  ),
  transportCase(
    'no report while the worker lives, though it has replied',
    { parts: ['reply-then-hang'], alive: true },
    async ({ begin, peeked, stop, gone, wait }) => {
      const { handle, order } = await begin('reply-then-hang');
      await peeked(handle);
      let reported = false;
      void handle.report.then(() => {
        reported = true;
      });
      await wait.clock.sleep(LINGER_MS);
      if (reported) await gone(order);
      await stop(handle);
    },
  ),
  transportCase(
    'stop can be asked for twice, and twice at once',
    { parts: ['hang'] },
    async ({ begin, report, stop, gone }) => {
      const { handle, order } = await begin('hang');
      await Promise.all([stop(handle), stop(handle), stop(handle)]);
      await stop(handle);
      assertFailure(await report(handle));
      await gone(order);
    },
  ),
  transportCase('stop after the end changes nothing', { parts: ['reply'] }, async (bench) => {
    const { handle, order } = await bench.begin('reply');
    const end = await bench.report(handle);
    await bench.stop(handle);
    await bench.stop(handle);
    assert.equal(await bench.report(handle), end);
    await bench.gone(order);
  }),
  transportCase(
    'stop of one worker leaves the others alone',
    { parts: ['hang', 'reply-later'] },
    async ({ begin, report, stop }) => {
      const [hanging, working] = await Promise.all([
        begin('hang', { id: 'T-1' }),
        begin('reply-later', { id: 'T-2' }),
      ]);
      await stop(hanging.handle);
      const end = await report(working.handle);
      assert(end.kind === 'replied');
      assert.deepEqual(end.reply, working.reply);
    },
  ),
  transportCase(
    'a start that fails rejects with an Error, and leaves nothing',
    { parts: ['refuse', 'reply'] },
    async ({ transport, begin, report, gone, wait }) => {
      const order = orderOf('refuse');
      await assert.rejects(wait.within('start', transport.start(order, never)), Error);
      await gone(order);
      const next = await begin('reply', { attempt: 2 });
      assert.equal((await report(next.handle)).kind, 'replied');
    },
  ),
  ...(['before', 'during'] as const).map((when) =>
    transportCase(
      `a start whose signal aborts ${when} it rejects or can be stopped, and leaves nothing`,
      { parts: ['hang'] },
      async ({ transport, report, stop, gone, wait }) => {
        const order = orderOf('hang');
        const cancel = new AbortController();
        if (when === 'before') cancel.abort();
        const start = transport.start(order, cancel.signal);
        cancel.abort();
        const [begun] = await Promise.allSettled([wait.within('start', start)]);
        if (begun.status === 'fulfilled') {
          await stop(begun.value);
          assertFailure(await report(begun.value));
        } else assert(begun.reason instanceof Error && begun.reason.name !== 'AssertionError');
        await gone(order);
      },
    ),
  ),
];
