import type { JsonObject } from '../json-object.ts';

/** What is written to the ledger of a team. */
export interface AuditEntry {
  readonly teamId: string;
  readonly eventType: string;
  readonly payload: JsonObject;
}

/** A row of the ledger. It is never changed and never goes. */
export interface AuditRow extends AuditEntry {
  /** Grows with every row of the ledger. */
  readonly id: number;
  /** ISO 8601, UTC, milliseconds. */
  readonly createdAt: string;
}

/** The audit rows of all teams. Each call is one transaction; what can not be written throws. */
export interface AuditLedger {
  append(entry: AuditEntry): AuditRow;
  /** Oldest first, by `id`; of one event type when it is given. */
  list(query: { readonly teamId: string; readonly eventType?: string }): readonly AuditRow[];
  /**
   * Appends the entry the first time that the team comes with this latch, and gives null ever after: one row in all,
   * however many processes ask at once.
   */
  latch(latch: string, entry: AuditEntry): AuditRow | null;
}
