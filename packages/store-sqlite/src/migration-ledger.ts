import type { Database } from 'better-sqlite3';
import { StoreError } from './error.ts';
import { type Migration, migrationChecksum } from './migration.ts';

interface LedgerRow {
  readonly name: string;
  readonly checksum: string;
}

/** The statement that makes the ledger; a no-op once it is there. */
export const LEDGER_SQL = `CREATE TABLE IF NOT EXISTS migrations (
  name TEXT NOT NULL PRIMARY KEY,
  checksum TEXT NOT NULL,
  applied_at TEXT NOT NULL
) STRICT`;

/**
 * The migrations of `shipped` that the file has not seen. Throws `STORE_NEWER` when it has seen others,
 * `STORE_MIGRATION_CHANGED` when it has seen one with another text. Only reads.
 */
export function pendingMigrations(
  database: Database,
  shipped: readonly Migration[],
): readonly Migration[] {
  const applied = new Map(ledger(database).map(({ name, checksum }) => [name, checksum]));
  const known = new Map(shipped.map((migration) => [migration.name, migration]));
  for (const [name, checksum] of applied) {
    const migration = known.get(name);
    if (!migration) throw newer(name);
    if (migrationChecksum(migration) !== checksum) throw changed(name);
  }
  return shipped.filter(({ name }) => !applied.has(name));
}

/** Records a migration as applied, in the caller's transaction. */
export function recordMigration(database: Database, migration: Migration): void {
  database
    .prepare('INSERT INTO migrations (name, checksum, applied_at) VALUES (?, ?, ?)')
    .run(migration.name, migrationChecksum(migration), new Date().toISOString());
}

function ledger(database: Database): readonly LedgerRow[] {
  const exists = database
    .prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migrations'")
    .get();
  if (exists === undefined) return [];
  return database
    .prepare<[], LedgerRow>('SELECT name, checksum FROM migrations ORDER BY name')
    .all();
}

const newer = (name: string): StoreError =>
  new StoreError(
    'STORE_NEWER',
    `the store was made by a newer version: this one does not know the migration ${name}`,
    'The file was left as it is. Use the newer version, or another file.',
  );

const changed = (name: string): StoreError =>
  new StoreError(
    'STORE_MIGRATION_CHANGED',
    `the store was made with another text of the migration ${name}`,
    'The file was left as it is. Use the version that made it, or another file.',
  );
