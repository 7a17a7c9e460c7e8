import type { Escalation, EscalationSink } from '../core/escalation.ts';
import { bounded } from './bounded.ts';
import { BOUNDS } from './bounds.ts';
import type { Clock } from './clock.ts';

/** Between two tries of the same escalation: this long at first, then twice as long each time. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** Brings durable escalations to the sink. What the sink does with them changes nothing in the run. */
export interface Delivery {
  /** Hands it over, again and again until the sink takes it. */
  deliver(key: string, escalation: Escalation): void;
  /** Waits, bounded, for what is on its way, and tries nothing again after that. */
  drain(): Promise<void>;
}

interface DeliverySeams {
  readonly sink: EscalationSink;
  readonly clock: Clock;
  /** Told the key of each escalation that the sink took. */
  readonly onDelivered: (key: string) => void;
}

export function delivery({ sink, clock, onDelivered }: DeliverySeams): Delivery {
  const pending = new Set<Promise<void>>();
  const over = new AbortController();
  const send = async (key: string, escalation: Escalation) => {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      const taken = await bounded(clock, BOUNDS.sinkMs, async () => {
        await sink(escalation, key);
      });
      if (taken.kind === 'value') return onDelivered(key);
      // It is still owed; the journal says so, and the next host goes on.
      await clock.sleep(pause, over.signal);
      if (over.signal.aborted) return;
    }
  };
  return {
    deliver(key, escalation) {
      const tracked: Promise<void> = send(key, escalation).finally(() => pending.delete(tracked));
      pending.add(tracked);
    },
    async drain() {
      if (pending.size > 0) await bounded(clock, BOUNDS.deliveryMs, () => Promise.all(pending));
      over.abort();
    },
  };
}
