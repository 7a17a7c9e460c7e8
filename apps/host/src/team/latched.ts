import type { EscalationSink } from '@atelier/engine';
import { printable } from '@atelier/envelope';
import { type AuditLedger, escalateFn, gapLatch } from '@atelier/team-behaviors';

interface Latching {
  readonly ledger: AuditLedger;
  readonly teamId: string;
  readonly warn: (message: string) => void;
}

/** A sink that also books the gap of each task, once. The given sink, or else a warning, comes first and fails for itself. */
export const latched = (
  sink: EscalationSink | undefined,
  { ledger, teamId, warn }: Latching,
): EscalationSink =>
  escalateFn({
    ...(sink ? { sink } : {}),
    latch: gapLatch({ ledger, teamId }),
    onLedgerFailure: (error, { task_id }) =>
      warn(
        `the escalation of task ${printable(task_id)} is told, but not in the ledger: ${printable(error, 300)}`,
      ),
  });
