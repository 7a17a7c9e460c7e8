import assert from 'node:assert/strict';
import type { ConformanceCase } from '../conformance-case.ts';
import type { Behaviour } from '../part.ts';
import { assertFailure, type Bench, orderOf, transportCase } from './bench.ts';
import type { TransportFixture } from './transport-fixture.ts';

const adoption = (
  name: string,
  parts: readonly Behaviour[],
  prove: (bench: Bench) => Promise<void>,
): ConformanceCase<TransportFixture> =>
  transportCase(`adopt: ${name}`, { parts, adopt: true }, prove);

/** What a later host finds of the workers of an earlier one. */
export const ADOPTION_CASES: readonly ConformanceCase<TransportFixture>[] = [
  adoption('a living worker is found, and its reply arrives', ['reply-later'], async (bench) => {
    const { order, reply } = await bench.begin('reply-later');
    const found = await bench.adopt(order);
    assert(found, 'the worker was not found');
    const end = await bench.report(found);
    assert(end.kind === 'replied');
    assert.deepEqual(end.reply, reply);
    await bench.gone(order);
  }),
  adoption(
    'what is left of its wall clock is more than nothing and at most the order’s',
    ['hang'],
    async ({ begin, adopt, stop }) => {
      const { order } = await begin('hang');
      for (const wallClockMs of [order.wallClockMs, 5_000]) {
        const found = await adopt({ ...order, wallClockMs });
        assert(found, 'the worker was not found');
        // A worker that was started just now has almost all of it.
        const { wallClockLeftMs = wallClockMs } = found;
        assert(wallClockLeftMs > 0 && wallClockLeftMs <= wallClockMs);
        if (wallClockMs === 5_000) await stop(found);
      }
    },
  ),
  adoption('one that has replied and ended is found with its reply', ['reply'], async (bench) => {
    const { order, handle, reply } = await bench.begin('reply');
    await bench.report(handle);
    const found = await bench.adopt(order);
    assert(found, 'the worker was not found');
    const end = await bench.report(found);
    assert(end.kind === 'replied');
    assert.deepEqual(end.reply, reply);
  }),
  adoption('one that has replied and hangs shows its reply', ['reply-then-hang'], async (bench) => {
    const { order, handle, reply } = await bench.begin('reply-then-hang');
    await bench.peeked(handle);
    const found = await bench.adopt(order);
    assert(found, 'the worker was not found');
    assert.deepEqual(await bench.peeked(found), reply);
    await bench.stop(found);
    await bench.gone(order);
  }),
  adoption('one that is gone is not found, or told as failed', ['crash'], async (bench) => {
    const { order, handle } = await bench.begin('crash');
    await bench.report(handle);
    const found = await bench.adopt(order);
    if (found) assertFailure(await bench.report(found));
    await bench.gone(order);
  }),
  adoption('an attempt that was never started is not found', [], async ({ adopt, gone }) => {
    const order = orderOf('hang');
    assert.equal(await adopt(order), undefined);
    await gone(order);
  }),
  adoption('another attempt or another task is never adopted', ['hang'], async (bench) => {
    const { order } = await bench.begin('hang');
    const others = [{ attempt: 2 }, { attempt: 11 }, { task: { ...order.task, id: 'T-1/1' } }];
    for (const other of others)
      assert.equal(
        await bench.adopt({ ...order, ...other, nonce: crypto.randomUUID() }),
        undefined,
      );
  }),
  adoption('another nonce is never adopted', ['hang', 'reply'], async (bench) => {
    for (const [index, behaviour] of (['hang', 'reply'] as const).entries()) {
      const { order, handle } = await bench.begin(behaviour, { attempt: index + 1 });
      if (behaviour === 'reply') await bench.report(handle);
      assert.equal(await bench.adopt({ ...order, nonce: crypto.randomUUID() }), undefined);
    }
  }),
  adoption('a look for another attempt ends nobody', ['hang'], async (bench) => {
    const { order } = await bench.begin('hang');
    await bench.adopt({ ...order, attempt: 2, nonce: crypto.randomUUID() });
    const found = await bench.adopt(order);
    assert(found, 'the worker was not found');
    await bench.stop(found);
  }),
  adoption('stop of an adopted worker ends it', ['hang'], async (bench) => {
    const { order } = await bench.begin('hang');
    const found = await bench.adopt(order);
    assert(found, 'the worker was not found');
    await Promise.all([bench.stop(found), bench.stop(found)]);
    assertFailure(await bench.report(found));
    await bench.gone(order);
  }),
];
