import type { Escalation, EscalationSink } from '../core/escalation.ts';
import { bounded } from './bounded.ts';
import { BOUNDS } from './bounds.ts';
import type { Clock } from './clock.ts';

/** Brings durable escalations to the sink. What the sink does with them changes nothing in the run. */
export interface Delivery {
  deliver(key: string, escalation: Escalation): void;
  /** Waits, bounded, for what is on its way. */
  drain(): Promise<void>;
}

/** `onDelivered` is told the key of each escalation that the sink took. */
export function delivery(
  sink: EscalationSink,
  clock: Clock,
  onDelivered: (key: string) => void,
): Delivery {
  const pending = new Set<Promise<void>>();
  return {
    deliver(key, escalation) {
      const sending = (async () => {
        try {
          await sink(escalation, key);
          onDelivered(key);
        } catch {
          // It is still owed; the journal says so.
        }
      })();
      const tracked: Promise<void> = sending.finally(() => pending.delete(tracked));
      pending.add(tracked);
    },
    async drain() {
      if (pending.size === 0) return;
      await bounded(clock, BOUNDS.deliveryMs, () => Promise.all(pending));
    },
  };
}
