import type { AuditLedger } from '../ledger/audit-ledger.ts';
import { idFault } from '../roster/id-fault.ts';
import type { Persona } from '../roster/persona.ts';
import type { ApprovedPersona, ApprovedPersonas } from './approved-personas.ts';
import { proposalHash, proposalsOf } from './proposal.ts';
import { standingConsent } from './standing-consent.ts';

export interface Admission {
  readonly ledger: AuditLedger;
  readonly approved: ApprovedPersonas;
  readonly teamId: string;
  readonly proposalId: number;
  /** Every role of the team. */
  readonly workers: readonly string[];
  /** The ids of the roster without approved personas. */
  readonly taken: { has(id: string): boolean };
}

export type Admitted =
  | { readonly kind: 'admitted'; readonly persona: Persona }
  | {
      readonly kind: 'refused';
      readonly why: 'no-proposal' | 'superseded' | 'no-consent' | 'declined' | 'taken';
    };

/**
 * Lets a proposed persona into the roster, in the words that were consented to, if the last decision on exactly that
 * proposal is a yes. Looks at nothing but the ledger. Twice is once.
 */
export function admitPersona(admission: Admission): Admitted {
  const { ledger, approved, teamId, proposalId, workers, taken } = admission;
  const proposals = proposalsOf(ledger, teamId);
  const proposal = proposals.find((one) => one.proposalId === proposalId);
  if (!proposal) return refused('no-proposal');
  const { roleName: id, roleDescription: profile } = proposal;
  if (proposals.findLast(({ roleName }) => roleName === id) !== proposal)
    return refused('superseded');
  const consent = standingConsent(ledger, { teamId, proposal, workers });
  if (!consent) return refused('no-consent');
  if (!consent.acked) return refused('declined');
  const others = new Set(approved.list().map((one) => one.id));
  others.delete(id);
  if (idFault(id, taken) !== undefined || idFault(id, others) !== undefined)
    return refused('taken');
  const { consentId, by: approvedBy } = consent;
  const there = approved.add({ id, profile, teamId, proposalId, consentId, approvedBy });
  return there.profile === profile
    ? { kind: 'admitted', persona: personaOf(there) }
    : refused('taken');
}

/**
 * The approved personas that may be dispatched: those for which consent still stands, to the very words that are kept. A
 * later refusal takes one out, and one that no ledger tells of was never in.
 */
export const dispatchablePersonas = ({
  ledger,
  approved,
  workersOf,
}: {
  readonly ledger: AuditLedger;
  readonly approved: ApprovedPersonas;
  /** Every role of a team. */
  readonly workersOf: (teamId: string) => readonly string[];
}): readonly Persona[] =>
  approved.list().flatMap((one) => {
    const { teamId } = one;
    const proposal = proposalsOf(ledger, teamId).find(
      ({ proposalId, sha256 }) =>
        proposalId === one.proposalId && sha256 === proposalHash(one.id, one.profile),
    );
    const consent =
      proposal && standingConsent(ledger, { teamId, proposal, workers: workersOf(teamId) });
    return consent?.acked ? [personaOf(one)] : [];
  });

const personaOf = ({ id, profile }: ApprovedPersona): Persona => ({
  ...{ id, name: id, role: id, profile },
});

const refused = (why: Extract<Admitted, { kind: 'refused' }>['why']): Admitted => ({
  kind: 'refused',
  why,
});
