import { boundedText } from '../bounded-text.ts';
import type { AuditLedger, AuditRow } from '../ledger/audit-ledger.ts';
import { AUDIT_EVENTS } from '../ledger/event-types.ts';
import { type Gap, gapIdOf } from './gap.ts';

/** Books each gap of a team once. */
export interface GapLatch {
  /** The row, the first time that the team has this gap; null ever after, in every process. */
  escalate(gap: Gap): AuditRow | null;
  has(gapId: string): boolean;
}

const DESCRIPTION = 2000;

/** A latch over the ledger: whether a gap is booked is asked of nothing else. Throws what the ledger throws. */
export function gapLatch({
  ledger,
  teamId,
}: {
  readonly ledger: AuditLedger;
  readonly teamId: string;
}): GapLatch {
  return {
    escalate(gap) {
      const gapId = gapIdOf(gap);
      return ledger.latch(gapId, {
        teamId,
        eventType: AUDIT_EVENTS.gap,
        payload: {
          gap_id: gapId,
          description: boundedText(gap.description, DESCRIPTION),
          gap_kind: gap.kind,
          ...(gap.kind === 'task-abandon'
            ? { task_id: String(gap.taskId), category: boundedText(gap.category, 100) }
            : {}),
        },
      });
    },
    has: (gapId) =>
      ledger
        .list({ teamId, eventType: AUDIT_EVENTS.gap })
        .some(({ payload }) => payload['gap_id'] === gapId),
  };
}
