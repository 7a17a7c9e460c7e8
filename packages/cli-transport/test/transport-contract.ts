import assert from 'node:assert/strict';
import type { AttemptHandle, Transport, WorkOrder } from '@atelier/engine';

/** How a worker under test behaves. */
export type Behaviour = 'replies' | 'says nothing' | 'hangs' | 'replies and hangs';

/** A transport under test, whose workers behave as they are told. */
export interface TransportFixture {
  transport(behaviour: Behaviour): Transport;
  /** A fresh order, and what a worker that replies to it says. */
  order(): { readonly order: WorkOrder; readonly reply: unknown };
  /** Resolves once the worker of the order does what it is told to do. */
  busy(order: WorkOrder): Promise<void>;
  /** Where workers are processes: whether one of the order lives. */
  lives?(order: WorkOrder): boolean;
}

/** One promise of a {@link Transport}; rejects when it is broken. */
export interface TransportCase {
  readonly name: string;
  run(fixture: TransportFixture): Promise<void>;
}

const never = new AbortController().signal;

const begin = async (
  { transport, order: orderOf, busy }: TransportFixture,
  behaviour: Behaviour,
) => {
  const { order, reply } = orderOf();
  const backend = transport(behaviour);
  const handle = await backend.start(order, never);
  await busy(order);
  return { order, reply, backend, handle };
};

const settled = async (handle: AttemptHandle) => ({ report: await handle.report });

export const TRANSPORT_CASES: readonly TransportCase[] = [
  {
    name: 'says what it is and what it can',
    async run({ transport }) {
      const { name, capabilities } = transport('replies');
      assert.equal(typeof name, 'string');
      assert.equal(typeof capabilities.adopt, 'boolean');
      assert.ok(['kills', 'detaches'].includes(capabilities.stop));
    },
  },
  {
    name: 'hands the reply over as it is, once and for all',
    async run(fixture) {
      const { handle, reply } = await begin(fixture, 'replies');
      const { report } = await settled(handle);
      assert.deepEqual(report, { kind: 'replied', reply });
      assert.equal(await handle.report, report);
      assert.deepEqual(await handle.peek(), reply);
    },
  },
  {
    name: 'reports a worker that ends without a reply as failed',
    async run(fixture) {
      const { handle } = await begin(fixture, 'says nothing');
      const { report } = await settled(handle);
      assert.equal(report.kind, 'failed');
      assert.ok(report.kind === 'failed' && report.cause === 'no-reply' && report.detail !== '');
    },
  },
  {
    name: 'peek shows nothing while there is no reply, and reads without consuming',
    async run(fixture) {
      const silent = await begin(fixture, 'hangs');
      assert.equal((await silent.handle.peek()) ?? undefined, undefined);
      await silent.handle.stop('over');
      const replied = await begin(fixture, 'replies and hangs');
      assert.deepEqual(await replied.handle.peek(), replied.reply);
      assert.deepEqual(await replied.handle.peek(), replied.reply);
      await replied.handle.stop('over');
    },
  },
  {
    name: 'stop ends the worker, can be asked for twice, and the report settles',
    async run(fixture) {
      const { handle, order } = await begin(fixture, 'hangs');
      assert.notEqual(fixture.lives?.(order), false);
      await Promise.all([handle.stop('over'), handle.stop('again')]);
      assert.notEqual(fixture.lives?.(order), true);
      const { report } = await settled(handle);
      assert.equal(report.kind, 'failed');
      assert.ok(report.kind === 'failed' && report.cause === 'interrupted');
    },
  },
  {
    name: 'stop after the end changes nothing',
    async run(fixture) {
      const { handle, reply } = await begin(fixture, 'replies');
      await handle.report;
      await handle.stop('too late');
      assert.deepEqual(await handle.report, { kind: 'replied', reply });
    },
  },
  {
    name: 'start honours a signal that has aborted',
    async run({ transport, order, lives }) {
      const given = order().order;
      const aborted = AbortSignal.abort();
      await assert.rejects(async () => transport('hangs').start(given, aborted));
      assert.notEqual(lives?.(given), true);
    },
  },
  {
    name: 'a listener that throws changes nothing',
    async run(fixture) {
      const { handle, reply } = await begin(fixture, 'replies');
      handle.subscribe?.(() => {
        throw new Error('a listener that fails');
      });
      assert.deepEqual(await handle.report, { kind: 'replied', reply });
    },
  },
  {
    name: 'activity, where it is promised, is a time that does not go back',
    async run(fixture) {
      const { handle, backend } = await begin(fixture, 'hangs');
      if (backend.capabilities.activity && handle.activity) {
        const first = handle.activity();
        assert.ok(Number.isFinite(first) && handle.activity() >= first);
      }
      await handle.stop('over');
    },
  },
  {
    name: 'adopt finds the worker of an order, and none where there was none',
    async run(fixture) {
      const { backend, handle, order, reply } = await begin(fixture, 'replies');
      if (!backend.capabilities.adopt || !fixture.lives) return;
      await handle.report;
      const again = fixture.transport('replies');
      const found = await again.adopt?.(order, never);
      assert.deepEqual(await found?.report, { kind: 'replied', reply });
      const other = fixture.order().order;
      assert.equal(await again.adopt?.(other, never), undefined);
    },
  },
];
