import type { AuditEntry, AuditLedger, AuditRow } from './audit-ledger.ts';

/** A ledger that lasts as long as the process. `now` is epoch milliseconds. */
export function memoryLedger({
  now,
}: {
  readonly now: () => number;
}): AuditLedger & { readonly rows: readonly AuditRow[] } {
  const rows: AuditRow[] = [];
  const latched = new Set<string>();
  const append = ({ teamId, eventType, payload }: AuditEntry): AuditRow => {
    const row: AuditRow = {
      id: rows.length + 1,
      teamId,
      eventType,
      payload: structuredClone(payload),
      createdAt: new Date(now()).toISOString(),
    };
    rows.push(row);
    return row;
  };
  return {
    rows,
    append,
    list: ({ teamId, eventType }) =>
      rows.filter(
        (row) => row.teamId === teamId && (eventType === undefined || row.eventType === eventType),
      ),
    latch(latch, entry) {
      const key = JSON.stringify([entry.teamId, latch]);
      if (latched.has(key)) return null;
      const row = append(entry);
      latched.add(key);
      return row;
    },
  };
}
