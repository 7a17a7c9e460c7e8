import { existsSync } from 'node:fs';
import { MIGRATIONS } from './migration.ts';
import { pendingMigrations } from './migration-ledger.ts';
import { openForReading } from './open-database.ts';
import { sqliteCode } from './sqlite-error.ts';

/**
 * Refuses a file of another version before anything could touch it: an ordinary connection would switch
 * its mode, or fold its log in on closing. Throws what {@link pendingMigrations} throws.
 */
export function inspectFile(path: string, busyTimeoutMs: number): void {
  if (!existsSync(path)) return;
  const database = openForReading(path, busyTimeoutMs);
  try {
    pendingMigrations(database, MIGRATIONS);
  } catch (error) {
    // What SQLite can not read without writing, such as a log left by a crash, an ordinary connection recovers.
    if (sqliteCode(error) === undefined) throw error;
  } finally {
    database.close();
  }
}
