import type { AuditLedger, AuditRow } from '../ledger/audit-ledger.ts';
import { AUDIT_EVENTS } from '../ledger/event-types.ts';

/** What people answered to the gaps of a team, oldest first. */
export const answersOf = (ledger: AuditLedger, teamId: string): readonly AuditRow[] =>
  [AUDIT_EVENTS.ack, AUDIT_EVENTS.retry]
    .flatMap((eventType) => ledger.list({ teamId, eventType }))
    .sort((one, other) => one.id - other.id);
