import { printable } from '@atelier/envelope';
import type { Database } from 'better-sqlite3';
import { type ChangedRow, changedRows } from './compare-rows.ts';
import { type Connection, connection } from './connection.ts';
import { damageIn, isDamage } from './damage.ts';
import { StoreError } from './error.ts';
import { MIGRATIONS } from './migration.ts';
import { pendingMigrations } from './migration-ledger.ts';
import { openForReading } from './open-database.ts';
import type { BadRow } from './read-event.ts';
import { runsTold } from './read-run.ts';
import { translated } from './sqlite-error.ts';
import { readTip, type Tip } from './tip.ts';
import { isBehind } from './tip-check.ts';
import { walk } from './walk.ts';

/** What a look at every event of a store came to. */
export interface Verification {
  readonly runs: number;
  /** Those that are what was appended. */
  readonly events: number;
  /** The first bad row of each run that has one; nothing after it was counted or compared. */
  readonly badRows: readonly BadRow[];
  /** The rows of any table that do not follow from their run's events. */
  readonly changedRows: readonly ChangedRow[];
  /** `behind`: commits are gone. `none`: nothing whole was noted, as after a copy without the file. */
  readonly tip: 'holds' | 'none' | 'behind';
  /** What SQLite finds wrong with the file itself. */
  readonly damage: readonly string[];
}

interface VerifyOptions {
  readonly path: string;
  /** How long to wait for another process. 5,000 when absent. */
  readonly busyTimeoutMs?: number;
}

/**
 * Reads a store from end to end, changing nothing, and tells what is wrong with it; another process may write to it
 * meanwhile. Throws only for a file that is not there or can not be read, and for one of another version
 * (`STORE_NEWER`, `STORE_MIGRATION_CHANGED`; `STORE_OLDER`).
 */
export function verifyStore({ path, busyTimeoutMs = 5_000 }: VerifyOptions): Verification {
  const tip = readTip(path);
  const database = openForReading(path, busyTimeoutMs);
  try {
    // One state of the file, whoever writes to it.
    return database.transaction(() => verified(database, tip))();
  } catch (error) {
    if (!isDamage(error)) throw translated(error);
    return { ...NOTHING, damage: [printable((error as Error).message)] };
  } finally {
    database.close();
  }
}

const NOTHING: Verification = {
  ...{ runs: 0, events: 0, badRows: [], changedRows: [] },
  ...{ tip: 'none', damage: [] },
};

function verified(database: Database, tip: Tip | undefined): Verification {
  if (pendingMigrations(database, MIGRATIONS).length > 0) {
    // Nothing is left of what its tip names.
    if (tip && isBehind(database, tip)) return { ...NOTHING, tip: 'behind' };
    throw older();
  }
  const damage = new Set(damageIn(database));
  const open = connection(database);
  const found = { runs: 0, events: 0, badRows: [] as BadRow[], changedRows: [] as ChangedRow[] };
  const collecting = (work: () => void) => {
    try {
      work();
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 'STORE_DAMAGED') throw error;
      damage.add(printable(error.message));
    }
  };
  collecting(() => {
    for (const { run_id } of open.rows(runsTold, {})) {
      found.runs += 1;
      collecting(() => {
        const run = verifiedRun(open, run_id, tip);
        found.events += run.events;
        found.badRows.push(...run.badRows);
        found.changedRows.push(...run.changedRows);
      });
    }
  });
  return { ...found, tip: tipOf(database, tip), damage: [...damage] };
}

function verifiedRun(
  open: Connection,
  run_id: string,
  tip: Tip | undefined,
): Pick<Verification, 'events' | 'badRows' | 'changedRows'> {
  const { events, bad, link } = walk(open, run_id, { tip });
  const runId = events[0]?.runId ?? run_id;
  const count = events.length;
  if (bad) return { events: count, badRows: [bad], changedRows: [] };
  try {
    return { events: count, badRows: [], changedRows: changedRows(open, runId, events) };
  } catch (error) {
    if (!(error instanceof StoreError) || error.code === 'STORE_DAMAGED') throw error;
    const why = `the events up to it make no run: ${printable(error.message)}`;
    return { events: count, badRows: [{ runId, seq: link.seq, why }], changedRows: [] };
  }
}

function tipOf(database: Database, tip: Tip | undefined): Verification['tip'] {
  if (!tip) return 'none';
  try {
    return isBehind(database, tip) ? 'behind' : 'holds';
  } catch (error) {
    if (isDamage(error)) return 'none';
    throw error;
  }
}

const older = (): StoreError =>
  new StoreError(
    'STORE_OLDER',
    'the store was made by an older version, whose tables are not those of this one',
    'Open it once with this version, as atelier status does; then it can be verified.',
  );
