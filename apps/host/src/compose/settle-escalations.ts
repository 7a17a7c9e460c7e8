import { deliverOwed, type EscalationSink } from '@atelier/engine';
import type { Store } from '@atelier/store-sqlite';
import { asCodedError } from '../host-error.ts';

/** Which runs owe escalations, and how they are told. */
export interface OldDebts {
  readonly store: Store;
  readonly sink: EscalationSink;
  /** The run that is about to be driven: it settles its own. */
  readonly except: string;
  readonly warn: (message: string) => void;
}

/**
 * Hands over what earlier hosts did not get told before they died. Only while nobody else drives these runs. A run
 * whose record can not be read is named and passed over.
 */
export async function settleEscalations({ store, sink, except, warn }: OldDebts): Promise<void> {
  for (const { run_id: runId } of store.runs()) {
    const owes = store.escalations(runId).some(({ delivered_at }) => delivered_at === null);
    if (!owes || runId === except) continue;
    try {
      await deliverOwed({ runId, journal: store.journal, sink });
    } catch (error) {
      const coded = asCodedError(error);
      if (!coded) throw error;
      warn(`the escalations of run ${runId} were not told: ${coded.message}`);
    }
  }
}
