import { printable } from '@atelier/envelope';
import type { AuditLedger, AuditRow } from '../ledger/audit-ledger.ts';
import { AUDIT_EVENTS } from '../ledger/event-types.ts';
import { TeamError } from '../team-error.ts';

/** The row that books a gap. Throws `GAP_UNKNOWN`. */
export function escalationOf(
  ledger: AuditLedger,
  { teamId, gapId }: { readonly teamId: string; readonly gapId: string },
): AuditRow {
  const row = ledger
    .list({ teamId, eventType: AUDIT_EVENTS.gap })
    .find(({ payload }) => payload['gap_id'] === gapId);
  if (row) return row;
  throw new TeamError(
    'GAP_UNKNOWN',
    `the team has no gap ${printable(gapId, 80)}`,
    'Name a gap that was escalated, as the ledger of the team lists it.',
  );
}
