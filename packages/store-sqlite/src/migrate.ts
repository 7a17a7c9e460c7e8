import type { Database } from 'better-sqlite3';
import { MIGRATIONS, type Migration, provideFunctions } from './migration.ts';
import { LEDGER_SQL, pendingMigrations, recordMigration } from './migration-ledger.ts';

/** What a test may watch of a migration. */
export interface MigrationWatch {
  /** Called inside the transaction, after each of its statements; the ledger's row is the last. */
  readonly onStatement?: (migration: string, index: number) => void;
}

/**
 * Brings a file to this version's schema. Each migration is one transaction together with its ledger
 * row, so a crash leaves it applied or untouched, and of several starters one applies it.
 */
export function applyMigrations(
  database: Database,
  watch: MigrationWatch = {},
  shipped: readonly Migration[] = MIGRATIONS,
): void {
  provideFunctions(database);
  while (pendingMigrations(database, shipped).length > 0) {
    database.transaction(() => applyNext(database, watch, shipped)).immediate();
  }
}

// Asks again under the write lock: another starter may have been faster.
function applyNext(database: Database, watch: MigrationWatch, shipped: readonly Migration[]): void {
  const [migration] = pendingMigrations(database, shipped);
  if (!migration) return;
  const steps: (() => unknown)[] = [LEDGER_SQL, ...migration.sql].map(
    (sql) => () => database.exec(sql),
  );
  steps.push(() => recordMigration(database, migration));
  for (const [index, step] of steps.entries()) {
    step();
    watch.onStatement?.(migration.name, index);
  }
}
