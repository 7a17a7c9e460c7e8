import { textAt } from '../json-object.ts';
import type { AuditLedger } from '../ledger/audit-ledger.ts';
import { AUDIT_EVENTS } from '../ledger/event-types.ts';
import { mayConsent } from './may-consent.ts';
import type { Proposal } from './proposal.ts';

/** The decision that holds for a proposal. */
export interface StandingConsent {
  readonly consentId: number;
  readonly acked: boolean;
  readonly by: string;
}

/**
 * The last decision on exactly this proposal; undefined while there is none. A row for another proposal, for other
 * words, or in the name of somebody who can not consent is no decision, however it came into the ledger.
 */
export function standingConsent(
  ledger: AuditLedger,
  {
    teamId,
    proposal,
    workers,
  }: {
    readonly teamId: string;
    readonly proposal: Proposal;
    readonly workers: readonly string[];
  },
): StandingConsent | undefined {
  const row = ledger
    .list({ teamId, eventType: AUDIT_EVENTS.consent })
    .findLast(
      ({ payload }) =>
        payload['proposal_id'] === proposal.proposalId &&
        payload['sha256'] === proposal.sha256 &&
        payload['role_name'] === proposal.roleName &&
        mayConsent(textAt(payload, 'by') ?? '', proposal, workers),
    );
  if (!row) return undefined;
  const { id, payload } = row;
  return {
    consentId: id,
    acked: payload['acked'] === true,
    by: textAt(payload, 'by') ?? '',
  };
}
