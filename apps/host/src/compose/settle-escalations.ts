import { deliverOwed, type EscalationSink } from '@atelier/engine';
import type { Store } from '@atelier/store-sqlite';
import { asCodedError } from '../host-error.ts';

/** What earlier runs owe, and how it is told. */
export interface OwedBefore {
  readonly store: Pick<Store, 'owed' | 'journal'>;
  /** Where those of a run go: they are of its own team. */
  readonly sinkOf: (runId: string) => EscalationSink;
  /** The run that is about to be driven: it settles its own. */
  readonly except: string;
  readonly warn: (message: string) => void;
}

/**
 * Hands over what earlier hosts did not get told before they died, by the events and not by a table that repeats them. Only while nobody else drives these runs. A run
 * whose record can not be read is named and passed over.
 */
export async function settleEscalations({
  store,
  sinkOf,
  except,
  warn,
}: OwedBefore): Promise<void> {
  for (const runId of store.owed()) {
    if (runId === except) continue;
    try {
      await deliverOwed({ runId, journal: store.journal, sink: sinkOf(runId) });
    } catch (error) {
      const coded = asCodedError(error);
      if (!coded) throw error;
      warn(`the escalations of run ${runId} were not told: ${coded.message}`);
    }
  }
}
