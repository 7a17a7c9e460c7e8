/**
 * Triggers that hold a table append-only for every program: no row changes, none goes, and ids are gapless, so that
 * none is replaced either.
 */
export const appendOnly = (table: string): string => `${unchanging(table)};
  CREATE TRIGGER ${table}_are_gapless BEFORE INSERT ON ${table}
    WHEN NEW.id <> 1 + (SELECT coalesce(max(id), 0) FROM ${table})
    BEGIN SELECT RAISE(ABORT, '${table} is gapless and append-only'); END`;

/** Triggers for a table whose rows are found by `key`: none changes, none goes, and none is replaced. */
export const writeOnce = (table: string, key: readonly string[]): string => `${unchanging(table)};
  CREATE TRIGGER ${table}_are_never_replaced BEFORE INSERT ON ${table}
    WHEN EXISTS (SELECT 1 FROM ${table} WHERE ${key.map((column) => `${column} = NEW.${column}`).join(' AND ')})
    BEGIN SELECT RAISE(ABORT, '${table} is append-only'); END`;

const unchanging = (table: string): string => `CREATE TRIGGER ${table}_are_never_changed
    BEFORE UPDATE ON ${table} BEGIN SELECT RAISE(ABORT, '${table} is append-only'); END;
  CREATE TRIGGER ${table}_are_never_removed
    BEFORE DELETE ON ${table} BEGIN SELECT RAISE(ABORT, '${table} is append-only'); END`;
