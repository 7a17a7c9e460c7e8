import { type Clock, systemClock } from '../shell/clock.ts';
import type { AttemptReport, Transport, WorkOrder } from '../shell/transport.ts';

/** What one scripted worker does. Nothing set means a worker that never says a word. */
export interface ScriptedWorker {
  /** How it ends, `afterMs` after its start. */
  readonly report?: AttemptReport;
  readonly afterMs?: number;
  /** What a read finds before the report; a function may throw. */
  readonly peek?: unknown;
}

/** Decides what the worker of an order does. */
export type WorkerScript = (order: WorkOrder) => ScriptedWorker;

/** A transport without processes: for tests of a plan, a gate, a reporter or the engine itself. */
export function scriptedTransport(
  script: WorkerScript,
  { clock = systemClock }: { clock?: Clock } = {},
): Transport & { readonly started: readonly WorkOrder[]; readonly stopped: readonly WorkOrder[] } {
  const started: WorkOrder[] = [];
  const stopped: WorkOrder[] = [];
  return {
    name: 'scripted',
    capabilities: { adopt: false, stop: 'kills' },
    started,
    stopped,
    async start(order, signal) {
      signal.throwIfAborted();
      started.push(order);
      const { report, afterMs = 0, peek } = script(order);
      const over = new AbortController();
      let isStopped = false;
      const end = async (): Promise<AttemptReport> => {
        if (!report)
          await new Promise<void>((resolve) =>
            over.signal.addEventListener('abort', () => resolve()),
          );
        else if (afterMs > 0) await clock.sleep(afterMs, over.signal);
        if (report && !isStopped) return report;
        return { kind: 'failed', cause: 'interrupted', detail: 'stopped' };
      };
      return {
        report: end(),
        peek: async () => (typeof peek === 'function' ? peek() : peek),
        stop: async () => {
          if (!isStopped) stopped.push(order);
          isStopped = true;
          over.abort();
        },
      };
    },
  };
}
