import type { Database, Statement as Prepared, Transaction } from 'better-sqlite3';
import { StoreError } from './error.ts';
import { translated } from './sqlite-error.ts';
import type { Statement } from './statement.ts';

/** The one way to the file. Every member throws coded errors only, with SQLite's as their cause. */
export interface Connection {
  /** Runs a change and tells how many rows it touched. */
  change<Values>(statement: Statement<Values, unknown>, values: Values): number;
  /** Every row of a query. */
  rows<Values, Row>(statement: Statement<Values, Row>, values: Values): Row[];
  /** Hands the rows of a query out one by one, which spares keeping all of them, until `take` says `false`. */
  each<Values, Row>(
    statement: Statement<Values, Row>,
    values: Values,
    take: (row: Row) => boolean,
  ): void;
  /**
   * Runs `work` as one transaction that holds the write lock from its start: what it reads stays true
   * until it has written. Whatever it throws undoes all of it.
   */
  atomically<T>(work: () => T): T;
  /** Another number than before when somebody else has committed to the file since. */
  version(): number;
  close(): void;
}

/** A connection over an open database; each statement is prepared once. */
export function connection(database: Database): Connection {
  const cache = new Map<object, Prepared<unknown[]>>();

  function prepared(statement: Statement<never, unknown>): Prepared<unknown[]> {
    const known = cache.get(statement);
    if (known) return known;
    const fresh = database.prepare(statement.sql);
    cache.set(statement, fresh);
    return fresh;
  }

  function coded<T>(work: () => T): T {
    if (!database.open) throw closed();
    try {
      return work();
    } catch (error) {
      throw translated(error);
    }
  }

  let dataVersion: Prepared<[], number> | undefined;
  // Made once: to make one costs more than a small transaction does.
  let transaction: Transaction<() => unknown> | undefined;
  let body: () => unknown;

  return {
    change: (statement, values) =>
      coded(() => prepared(statement).run(statement.constants, values).changes),
    rows: <Values, Row>(statement: Statement<Values, Row>, values: Values) =>
      coded(() => prepared(statement).all(statement.constants, values) as Row[]),
    each: <Values, Row>(
      statement: Statement<Values, Row>,
      values: Values,
      take: (row: Row) => boolean,
    ) =>
      coded(() => {
        const rows = prepared(statement).iterate(statement.constants, values);
        for (const row of rows) if (!take(row as Row)) break;
      }),
    atomically: <T>(work: () => T) =>
      coded(() => {
        transaction ??= database.transaction(() => body());
        body = work;
        return transaction.immediate() as T;
      }),
    version: () =>
      coded(() => {
        dataVersion ??= database.prepare<[], number>('PRAGMA data_version').pluck();
        return dataVersion.get() ?? 0;
      }),
    close: () => {
      database.close();
    },
  };
}

const closed = (): StoreError =>
  new StoreError('STORE_CLOSED', 'the store was closed', 'Open it again with openStore.');
