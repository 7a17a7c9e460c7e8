import type { AuditLedger } from '../ledger/audit-ledger.ts';
import { idFault } from '../roster/id-fault.ts';
import type { Persona } from '../roster/persona.ts';
import type { ApprovedPersona, ApprovedPersonas } from './approved-personas.ts';
import { type Proposal, proposalHash, proposalsOf } from './proposal.ts';
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
 * proposal is a yes, and no later proposal of the same id was let in. Looks at nothing but the ledger. Twice is once. Where
 * consent to the one before was withdrawn, the new one takes its place.
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
  const known = approved.list();
  const isLater = (one: ApprovedPersona) =>
    one.id === id && one.proposalId > proposalId && proposalOf(ledger, one) !== undefined;
  if (known.some(isLater)) return refused('superseded');
  const others = new Set(known.map((one) => one.id));
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
 * The approved personas that may be dispatched: of each id the last that was let in, if consent still stands to the very
 * words that are kept. A later refusal takes one out and brings none before it back; one that no ledger tells of was never
 * in.
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
}): readonly Persona[] => {
  const last = new Map<string, { readonly one: ApprovedPersona; readonly proposal: Proposal }>();
  for (const one of approved.list().toSorted((a, b) => a.proposalId - b.proposalId)) {
    const proposal = proposalOf(ledger, one);
    if (proposal) last.set(one.id, { one, proposal });
  }
  return [...last.values()].flatMap(({ one, proposal }) => {
    const workers = workersOf(one.teamId);
    const consent = standingConsent(ledger, { teamId: one.teamId, proposal, workers });
    return consent?.acked ? [personaOf(one)] : [];
  });
};

/** What a persona came from, if it was proposed in exactly these words. */
const proposalOf = (
  ledger: AuditLedger,
  { id, profile, teamId, proposalId }: ApprovedPersona,
): Proposal | undefined =>
  proposalsOf(ledger, teamId).find(
    (one) => one.proposalId === proposalId && one.sha256 === proposalHash(id, profile),
  );

const personaOf = ({ id, profile }: ApprovedPersona): Persona => ({
  ...{ id, name: id, role: id, profile },
});

const refused = (why: Extract<Admitted, { kind: 'refused' }>['why']): Admitted => ({
  kind: 'refused',
  why,
});
