import { decide } from '../core/decide.ts';
import { EngineError } from '../core/error.ts';
import type { RunEvent, RunFact } from '../core/event.ts';
import { evolve } from '../core/evolve.ts';
import type { RunInput } from '../core/input.ts';
import type { RunState } from '../core/state.ts';
import { type Bounded, bounded, whyNot } from './bounded.ts';
import { BOUNDS } from './bounds.ts';
import type { Clock } from './clock.ts';
import type { Journal } from './journal.ts';

/** Turns inputs into facts and facts into durable events. */
export interface Recorder {
  /** Decides and folds; nothing is visible outside before {@link commit}. */
  step(input: RunInput): void;
  /** Folds what was decided already. */
  record(facts: readonly RunFact[]): void;
  /** Makes everything since the last commit durable as one batch, and only then hands it out. */
  commit(): Promise<readonly RunEvent[]>;
}

export function recorder(state: RunState, runId: string, journal: Journal, clock: Clock): Recorder {
  let batch: RunEvent[] = [];
  const record = (facts: readonly RunFact[]) => {
    // They are of one decision, and so of one moment.
    const at = new Date(clock.wall()).toISOString();
    for (const fact of facts) {
      // A fact is nobody else's: it becomes the event.
      const event: RunEvent = Object.assign(fact, { runId, seq: state.seq + 1, at });
      evolve(state, event);
      batch.push(event);
    }
  };
  return {
    record,
    step(input) {
      let facts = decide(state, input);
      record(facts);
      // Of an integration each fact may change what the next one says.
      while (input.kind === 'integrated' && facts.length > 0) {
        facts = decide(state, input);
        record(facts);
      }
    },
    async commit() {
      const events = batch;
      batch = [];
      if (events.length === 0) return events;
      const written = await bounded(clock, BOUNDS.journalMs, () => journal.append(events));
      if (written.kind !== 'value') throw journalFailed(runId, written);
      return events;
    },
  };
}

function journalFailed(
  runId: string,
  failure: Exclude<Bounded<never>, { kind: 'value' }>,
): EngineError {
  const why = whyNot(failure);
  return new EngineError(
    'JOURNAL_FAILED',
    `run ${runId} stopped: the journal could not be written (${why})`,
    'Nothing after the last durable event has happened; fix the cause and resume the run.',
    failure.kind === 'error' ? failure.error : undefined,
  );
}
