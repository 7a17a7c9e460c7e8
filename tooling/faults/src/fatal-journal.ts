import type { Journal, RunEvent } from '@atelier/engine';
import { labelOf } from './event-label.ts';
import type { KillPoint } from './kill-point.ts';

interface FatalJournalOptions {
  readonly point: KillPoint | undefined;
  /** Ends this process; never returns. */
  readonly die: () => never;
  /** Told the labels of each batch that was appended. */
  readonly onAppend: (labels: readonly string[]) => void;
}

/** A journal whose host dies right before or right after one of its appends. */
export function fatalJournal(
  journal: Journal,
  { point, die, onAppend }: FatalJournalOptions,
): Journal {
  let seen = 0;
  /** Which side of this append is the point, if it is this one. */
  const sideOf = (labels: readonly string[]) => {
    if (point?.kind !== 'append') return undefined;
    const count = labels.filter((label) => label === point.label).length;
    seen += count;
    return count > 0 && seen >= point.nth ? point.side : undefined;
  };
  return {
    async append(events: readonly RunEvent[]) {
      const labels = events.map(labelOf);
      const side = sideOf(labels);
      if (side === 'before') die();
      await journal.append(events);
      if (side === 'after') die();
      onAppend(labels);
    },
    async load(runId) {
      const events = await journal.load(runId);
      sideOf(events.map(labelOf));
      return events;
    },
  };
}
