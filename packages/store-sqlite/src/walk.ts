import type { RunEvent } from '@atelier/engine';
import { chainStart, type Link } from './chain.ts';
import { keyText } from './column-text.ts';
import type { Connection } from './connection.ts';
import { type BadRow, readEvent } from './read-event.ts';
import type { EventRow } from './schema.ts';
import { type Slot, statement } from './statement.ts';
import type { Tip } from './tip.ts';

const rowsAfter = statement((tables, slot: Slot<Pick<EventRow, 'run_id' | 'seq'>>) =>
  tables
    .selectFrom('events')
    .selectAll()
    .where('run_id', '=', slot('run_id'))
    .where('seq', '>', slot('seq'))
    .orderBy('seq'),
);

/** The events of a run that were read and found to be what was appended, up to the first that is not. */
export interface Walk {
  readonly events: readonly RunEvent[];
  /** The place of the last of them. */
  readonly link: Link;
  readonly bad?: BadRow;
}

interface WalkOptions {
  /** Where to go on; the start of the run when absent. */
  readonly after?: Link | undefined;
  /** What was noted as committed, if it was. */
  readonly tip?: Tip | undefined;
}

/** Reads a run's events along their chain. */
export function walk(
  connection: Connection,
  runId: string,
  { after, tip }: WalkOptions = {},
): Walk {
  const run_id = keyText(runId);
  const events: RunEvent[] = [];
  let link = after ?? chainStart(run_id);
  let bad: BadRow | undefined;
  connection.each(rowsAfter, { run_id, seq: link.seq }, (row) => {
    const reading = readEvent(row, link);
    const why = reading.why ?? whyNotTip(reading.link, run_id, tip);
    if (why !== undefined) bad = { runId, seq: row.seq, why };
    else if (reading.why === undefined) {
      events.push(reading.event);
      link = reading.link;
    }
    return bad === undefined;
  });
  return { events, link, ...(bad ? { bad } : {}) };
}

function whyNotTip(link: Link, run_id: string, tip: Tip | undefined): string | undefined {
  const other = tip?.run_id === run_id && tip.seq === link.seq && tip.hash !== link.hash;
  return other ? 'its hash is not the one that was noted when it was committed' : undefined;
}
