import { existsSync, statSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { damaged, damageIn, isDamage } from './damage.ts';
import { inUse } from './in-use.ts';
import { MIGRATIONS } from './migration.ts';
import { pendingMigrations } from './migration-ledger.ts';
import { openForReading } from './open-database.ts';
import { sqliteCode } from './sqlite-error.ts';
import type { Tip } from './tip.ts';
import { isBehind, truncated } from './tip-check.ts';

interface InspectOptions {
  readonly path: string;
  readonly busyTimeoutMs: number;
  /** To be read before, so that it can not be ahead of what others commit meanwhile. */
  readonly tip: Tip | undefined;
}

/**
 * Refuses a file of another version, a damaged one, and one from which commits are gone, before anything could touch
 * it: an ordinary connection would switch its mode, or fold its log in on closing. Throws `STORE_DAMAGED`,
 * `STORE_TRUNCATED`, and what {@link pendingMigrations} throws.
 */
export function inspectFile({ path, busyTimeoutMs, tip }: InspectOptions): void {
  if (!existsSync(path)) {
    if (tip) throw truncated(path, tip);
    return;
  }
  // Asked before this process has locks of its own on the file.
  const crashed = wasLeftOpen(path);
  const database = openForReading(path, busyTimeoutMs);
  try {
    inspect(database, { path, tip, crashed });
  } catch (error) {
    if (isDamage(error)) throw damaged(path, (error as Error).message, error);
    // What SQLite can not read without writing, such as a log left by a crash, an ordinary connection recovers.
    if (sqliteCode(error) === undefined) throw error;
  } finally {
    database.close();
  }
}

function inspect(
  database: Database,
  { path, tip, crashed }: Pick<InspectOptions, 'path' | 'tip'> & { readonly crashed: boolean },
): void {
  pendingMigrations(database, MIGRATIONS);
  if (tip && isBehind(database, tip)) throw truncated(path, tip);
  // Not after every clean end: a project of years would start slowly.
  const [finding] = crashed ? damageIn(database) : [];
  if (finding !== undefined) throw damaged(path, finding);
}

/** Whether the log outlived its last user. */
function wasLeftOpen(path: string): boolean {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  return log !== undefined && log.size > 0 && inUse(path) !== true;
}
