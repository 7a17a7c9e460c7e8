import type { AttemptHandle, AttemptReport, Clock, Transport, WorkOrder } from '../../src/index.ts';
import type { JobTable } from './job-table.ts';

const LOOK_MS = 50;

/** A transport over a table of jobs that can do all that a transport can. */
export function adoptingTransport(table: JobTable, clock: Clock): Transport {
  const handleOf = (order: WorkOrder, leftMs?: number): AttemptHandle => {
    const over = new AbortController();
    const watch = async (): Promise<AttemptReport> => {
      for (;;) {
        const state = table.read(order);
        if (over.signal.aborted)
          return { kind: 'failed', cause: 'interrupted', detail: 'it was ended' };
        if (state?.kind === 'failed')
          return { kind: 'failed', cause: 'exit', detail: state.detail };
        if (state?.kind === 'replied' && state.ended)
          return { kind: 'replied', reply: state.reply };
        await clock.sleep(LOOK_MS, over.signal);
      }
    };
    return {
      report: watch(),
      async peek() {
        const state = table.read(order);
        return state?.kind === 'replied' ? state.reply : undefined;
      },
      async stop() {
        table.cancel(order);
        over.abort();
      },
      // A table that is asked is a sign of life.
      activity: () => clock.now(),
      ...(leftMs === undefined ? {} : { wallClockLeftMs: leftMs }),
    };
  };
  return {
    name: 'table',
    capabilities: { adopt: true, stop: 'kills', activity: true },
    async start(order, signal) {
      signal.throwIfAborted();
      table.add(order);
      return handleOf(order);
    },
    async adopt(order) {
      const at = table.startedAt(order);
      if (at === undefined || table.nonceOf(order) !== order.nonce) return undefined;
      return handleOf(order, Math.max(0, order.wallClockMs - (clock.now() - at)));
    },
    release: async () => undefined,
  };
}
