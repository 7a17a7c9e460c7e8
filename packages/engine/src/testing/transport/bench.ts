import assert from 'node:assert/strict';
import type { TaskId } from '../../core/task.ts';
import type { AttemptHandle, AttemptReport, Transport, WorkOrder } from '../../shell/transport.ts';
import { type ConformanceCase, conformanceCase } from '../conformance-case.ts';
import { doneOf } from '../done-of.ts';
import { type Behaviour, briefingOf } from '../part.ts';
import type { Patience } from '../patience.ts';
import { lackOf, type Needs, type TransportFixture } from './transport-fixture.ts';

/** A worker of a case, with what it delivers. */
interface Begun {
  readonly order: WorkOrder;
  readonly handle: AttemptHandle;
  readonly reply: unknown;
}

/** One fixture, and what the cases do with it again and again. Whatever is waited for is waited for with patience. */
export interface Bench {
  readonly fixture: TransportFixture;
  readonly transport: Transport;
  readonly wait: Patience;
  begin(behaviour: Behaviour, about?: OrderText): Promise<Begun>;
  report(handle: AttemptHandle): Promise<AttemptReport>;
  /** Peeks until there is a reply. */
  peeked(handle: AttemptHandle): Promise<unknown>;
  stop(handle: AttemptHandle): Promise<void>;
  /** Where the fixture can tell: that nothing of the order lives. */
  gone(order: WorkOrder): Promise<void>;
  /** A later host looks for the worker of an order. */
  adopt(order: WorkOrder): Promise<AttemptHandle | undefined>;
}

/** What an order of a case is about, where that matters. */
export interface OrderText {
  readonly id?: TaskId;
  readonly attempt?: number;
  /** What the worker delivers; a `done` when absent. */
  readonly reply?: unknown;
}

const WALL_CLOCK_MS = 120_000;

/** The nonce is fit to tell the processes of this order from all others on the machine. */
export function orderOf(behaviour: Behaviour, about: OrderText = {}): WorkOrder {
  const { id = 'T-1', attempt = 1, reply = doneOf(id, attempt) } = about;
  const text = typeof reply === 'string' ? reply : JSON.stringify(reply);
  return {
    runId: 'conformance',
    task: { id, parallel_group: 1 },
    attempt,
    nonce: crypto.randomUUID(),
    briefing: briefingOf({ behaviour, reply: text }),
    wallClockMs: WALL_CLOCK_MS,
  };
}

/** Nobody takes back what it was given. */
export const never: AbortSignal = new AbortController().signal;

function benchOf(fixture: TransportFixture, wait: Patience): Bench {
  const { transport } = fixture;
  return {
    ...{ fixture, transport, wait },
    async begin(behaviour, about = {}) {
      const order = orderOf(behaviour, about);
      const handle = await wait.within('start', transport.start(order, never));
      const { reply = doneOf(order.task.id, order.attempt) } = about;
      return { order, handle, reply };
    },
    report: (handle) => wait.within('the report', handle.report),
    peeked: (handle) =>
      wait.until('peek shows the reply', async () => (await handle.peek()) ?? undefined),
    stop: (handle) => wait.within('stop', handle.stop('the case is over')),
    async gone(order) {
      if (!fixture.alive || transport.capabilities.stop === 'detaches') return;
      const living = await fixture.alive(order);
      assert.equal(living, 0, `nothing of ${order.task.id}/${order.attempt} lives`);
    },
    async adopt(order) {
      const later = (await fixture.reopen?.())?.transport;
      // A later host knows what the journal says, and no briefing.
      const known = { ...order, briefing: '' };
      return wait.within('adopt', Promise.resolve(later?.adopt?.(known, never)));
    },
  };
}

/** A case over a bench. It is left out where the fixture lacks what the case needs. */
export const transportCase = (
  name: string,
  needs: Needs,
  prove: (bench: Bench) => Promise<void>,
): ConformanceCase<TransportFixture> =>
  conformanceCase({
    name,
    leftOut: (fixture) => lackOf(fixture, needs),
    prove: (fixture, wait) => prove(benchOf(fixture, wait)),
  });

/** A worker that delivered is either told so with exactly its reply, or failed: nothing between. */
export function assertReplyOrFailure(report: AttemptReport, reply: unknown): void {
  if (report.kind === 'replied') assert.deepEqual(report.reply, reply);
  else assertFailure(report);
}

/** The failure says why. */
export function assertFailure(report: AttemptReport): void {
  assert.equal(report.kind, 'failed');
  assert(report.kind === 'failed' && typeof report.detail === 'string' && report.detail !== '');
}
