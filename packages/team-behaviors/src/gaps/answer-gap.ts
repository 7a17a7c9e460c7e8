import { boundedText, givenText } from '../bounded-text.ts';
import type { AuditLedger, AuditRow } from '../ledger/audit-ledger.ts';
import { AUDIT_EVENTS } from '../ledger/event-types.ts';
import { escalationOf } from './escalation-of.ts';

/** A person's answer to a gap. */
export interface GapAnswer {
  readonly ledger: AuditLedger;
  readonly teamId: string;
  readonly gapId: string;
  /** Who the person is. */
  readonly by: string;
  readonly note?: string;
}

/** Books that a person has seen a gap, or wants the task tried again: both open its line of work. Throws `GAP_UNKNOWN`. */
export function answerGap(how: 'ack' | 'retry', answer: GapAnswer): AuditRow {
  const { ledger, teamId, gapId, by, note = '' } = answer;
  escalationOf(ledger, { teamId, gapId });
  return ledger.append({
    teamId,
    eventType: AUDIT_EVENTS[how],
    payload: { gap_id: gapId, by: givenText(by, 'the name', 200), note: boundedText(note, 2000) },
  });
}
