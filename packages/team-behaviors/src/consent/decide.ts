import { boundedText, givenText } from '../bounded-text.ts';
import type { AuditLedger, AuditRow } from '../ledger/audit-ledger.ts';
import { AUDIT_EVENTS } from '../ledger/event-types.ts';
import { consentError } from './consent-error.ts';
import { mayConsent } from './may-consent.ts';
import { proposalsOf } from './proposal.ts';

/** Where consent is given. A host makes one on the operator's way alone: it is the authority, no text is. */
export interface ConsentDesk {
  /**
   * Books a person's decision, a refusal too; the last one counts. It names the proposal and the hash of what was read.
   * Throws `CONSENT_NO_PROPOSAL`, `CONSENT_SUPERSEDED`, `CONSENT_EDITED` or `CONSENT_NOT_AN_OPERATOR`, and then books
   * nothing.
   */
  decide(decision: Decision): AuditRow;
}

export interface Decision {
  readonly proposalId: number;
  readonly sha256: string;
  readonly acked: boolean;
  readonly rationale?: string;
}

export interface DeskOptions {
  readonly ledger: AuditLedger;
  readonly teamId: string;
  /** The person at the desk. It is no argument of a decision, so that nobody decides in another's name. */
  readonly operator: string;
  /** Every role of the team. */
  readonly workers: readonly string[];
}

export function consentDesk({ ledger, teamId, operator, workers }: DeskOptions): ConsentDesk {
  const by = givenText(operator, 'the operator', 200);
  return {
    decide({ proposalId, sha256, acked, rationale = '' }) {
      const proposals = proposalsOf(ledger, teamId);
      const proposal = proposals.find((one) => one.proposalId === proposalId);
      if (!proposal) throw consentError('CONSENT_NO_PROPOSAL');
      const last = proposals.findLast(({ roleName }) => roleName === proposal.roleName);
      if (last !== proposal) throw consentError('CONSENT_SUPERSEDED');
      if (proposal.sha256 !== sha256) throw consentError('CONSENT_EDITED');
      if (!mayConsent(by, proposal, workers)) throw consentError('CONSENT_NOT_AN_OPERATOR');
      return ledger.append({
        teamId,
        eventType: AUDIT_EVENTS.consent,
        payload: {
          role_name: proposal.roleName,
          acked: acked === true,
          rationale: boundedText(rationale, 4000),
          proposal_id: proposalId,
          sha256,
          by,
        },
      });
    },
  };
}
