import { jsonText, keyText } from '../column-text.ts';
import type { Connection } from '../connection.ts';
import { type Slot, statement } from '../statement.ts';
import type { OutcomeRow } from './schema.ts';

/** What a run came to, as its host put it together. */
export interface OutcomeRecord {
  readonly record: unknown;
  readonly recordedAt: string;
}

/** The records from which a pull request or the minutes of a cycle are written, one for each run. */
export interface Outcomes {
  /** Keeps the record of a run; a run that went on and ended again has the later one. Throws `STORE_NOT_JSON`. */
  put(runId: string, record: unknown): void;
  get(runId: string): OutcomeRecord | undefined;
}

const byRun = statement((tables, slot: Slot<Pick<OutcomeRow, 'run_id'>>) =>
  tables.selectFrom('outcome_records').selectAll().where('run_id', '=', slot('run_id')),
);

const putRecord = statement((tables, slot: Slot<OutcomeRow>) =>
  tables
    .insertInto('outcome_records')
    .values({ run_id: slot('run_id'), json: slot('json'), recorded_at: slot('recorded_at') })
    .onConflict((conflict) =>
      conflict.column('run_id').doUpdateSet((row) => ({
        json: row.ref('excluded.json'),
        recorded_at: row.ref('excluded.recorded_at'),
      })),
    ),
);

/** The records over a connection. */
export const outcomes = (connection: Connection, now: () => string): Outcomes => ({
  put(runId, record) {
    const row = { run_id: keyText(runId), json: jsonText(record), recorded_at: now() };
    connection.atomically(() => connection.change(putRecord, row));
  },
  get(runId) {
    const [row] = connection.rows(byRun, { run_id: keyText(runId) });
    if (!row) return undefined;
    const record: unknown = JSON.parse(row.json);
    return { record, recordedAt: row.recorded_at };
  },
});
