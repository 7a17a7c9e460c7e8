import { givenText } from '../bounded-text.ts';
import { escalationOf } from '../gaps/escalation-of.ts';
import type { AuditLedger, AuditRow } from '../ledger/audit-ledger.ts';
import { AUDIT_EVENTS } from '../ledger/event-types.ts';
import { answersOf } from './answers-of.ts';

/** What nobody resolved. */
export interface PostMortem {
  readonly ledger: AuditLedger;
  readonly teamId: string;
  /** An escalated gap; null for the meeting as a whole. */
  readonly gapId: string | null;
  readonly reason: string;
}

/**
 * Books that nobody resolved a gap, and thereby stops its line of work: see `stoppedLines`. Once for each time that the
 * gap stood open; null ever after. Nothing is tried again and no persona is made up for it. Throws `GAP_UNKNOWN` for
 * a gap that was never escalated.
 */
export function recordPostMortem({ ledger, teamId, gapId, reason }: PostMortem): AuditRow | null {
  if (gapId !== null) escalationOf(ledger, { teamId, gapId });
  const opening = answersOf(ledger, teamId).filter(
    ({ payload }) => gapId !== null && payload['gap_id'] === gapId,
  ).length;
  // No gap is named like a list, so none has this latch.
  return ledger.latch(JSON.stringify(['post-mortem', gapId, opening]), {
    teamId,
    eventType: AUDIT_EVENTS.postMortem,
    payload: { gap_id: gapId, reason: givenText(reason, 'the reason', REASON) },
  });
}

const REASON = 4000;
