import { taskOfGap } from '../gaps/gap.ts';
import { textAt } from '../json-object.ts';
import type { AuditLedger, AuditRow } from '../ledger/audit-ledger.ts';
import { AUDIT_EVENTS } from '../ledger/event-types.ts';
import { answersOf } from './answers-of.ts';

/** A line of work that a post-mortem stopped, and nobody has opened again. */
export interface StoppedLine {
  readonly teamId: string;
  readonly gapId: string;
  /** As text; undefined for the gap of a persona. */
  readonly taskId: string | undefined;
  readonly reason: string;
  /** ISO 8601. */
  readonly since: string;
}

/** What earlier runs left stopped, by the order of the teams and then of the ledger. The caller names the teams of its project. */
export const stoppedLines = (
  ledger: AuditLedger,
  teamIds: readonly string[],
): readonly StoppedLine[] =>
  teamIds.flatMap((teamId) => {
    const answered = lastOfEachGap(answersOf(ledger, teamId));
    const stopped = lastOfEachGap(ledger.list({ teamId, eventType: AUDIT_EVENTS.postMortem }));
    return [...stopped].flatMap(([gapId, { id, payload, createdAt }]): StoppedLine[] => {
      if ((answered.get(gapId)?.id ?? 0) > id) return [];
      const reason = textAt(payload, 'reason') ?? '';
      return [{ teamId, gapId, taskId: taskOfGap(gapId), reason, since: createdAt }];
    });
  });

function lastOfEachGap(rows: readonly AuditRow[]): Map<string, AuditRow> {
  const last = new Map<string, AuditRow>();
  for (const row of rows) {
    const gapId = textAt(row.payload, 'gap_id');
    if (gapId !== undefined) last.set(gapId, row);
  }
  return last;
}
