import { chainStart, type Link } from './chain.ts';
import type { Connection } from './connection.ts';
import { tampered } from './read-event.ts';
import type { EventRow } from './schema.ts';
import { type Slot, statement } from './statement.ts';

const lastRow = statement((tables, slot: Slot<Pick<EventRow, 'run_id'>>) =>
  tables
    .selectFrom('events')
    .select(['seq', 'hash'])
    .where('run_id', '=', slot('run_id'))
    .orderBy('seq', 'desc')
    .limit(1),
);

/** The ends of the runs' chains, which one transaction moves on. */
export type Ends = Map<string, Link>;

/** Where the chain of each run ends, remembered from one batch to the next. */
export interface ChainEnds {
  /** The end of a run, by its column. To be asked under the write lock. Throws `STORE_TAMPERED` when it has no hash. */
  of(run_id: string): Link;
  /** Takes over what was committed. */
  keep(moved: Ends): void;
  /** After a transaction that may have failed: the next question goes to the file. */
  forget(): void;
}

/** Remembers as long as nobody else commits to the file. */
export function chainEnds(connection: Connection): ChainEnds {
  const known: Ends = new Map();
  let version: number | undefined;
  return {
    of(run_id) {
      const now = connection.version();
      if (now !== version) known.clear();
      version = now;
      return known.get(run_id) ?? storedEnd(connection, run_id);
    },
    keep(moved) {
      for (const [run_id, link] of moved) known.set(run_id, link);
    },
    forget: () => known.clear(),
  };
}

function storedEnd(connection: Connection, run_id: string): Link {
  const [last] = connection.rows(lastRow, { run_id });
  if (!last) return chainStart(run_id);
  const { seq, hash } = last;
  if (hash === null) throw tampered({ runId: run_id, seq, why: 'it has no hash' });
  return { seq, hash };
}
