import type { RunEvent } from '../core/event.ts';
import { type Journal, journalConflict } from '../shell/journal.ts';

/** A journal that lasts as long as the process: for tests, and for runs nobody wants to resume. */
export function memoryJournal(): Journal & { readonly events: readonly RunEvent[] } {
  const events: RunEvent[] = [];
  const lastSeq = new Map<string, number>();
  return {
    events,
    append(batch) {
      const next = new Map(lastSeq);
      for (const event of batch) {
        const expected = (next.get(event.runId) ?? 0) + 1;
        if (event.seq !== expected) throw journalConflict(event, expected);
        next.set(event.runId, event.seq);
      }
      for (const [runId, seq] of next) lastSeq.set(runId, seq);
      for (const event of batch) events.push(event);
    },
    load: (runId) => events.filter((event) => event.runId === runId),
  };
}
