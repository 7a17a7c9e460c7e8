import { createHash } from 'node:crypto';
import { printable } from '@atelier/envelope';
import { givenText } from '../bounded-text.ts';
import { textAt } from '../json-object.ts';
import type { AuditLedger } from '../ledger/audit-ledger.ts';
import { AUDIT_EVENTS } from '../ledger/event-types.ts';
import { idFault } from '../roster/id-fault.ts';
import { TeamError } from '../team-error.ts';

/** A persona that the roster lacks, as somebody proposed it. All of it is untrusted. */
export interface Proposal {
  /** The row of the ledger; an edited proposal is another one. */
  readonly proposalId: number;
  /** The id of the persona. */
  readonly roleName: string;
  /** Its whole profile, as workers would be told it. */
  readonly roleDescription: string;
  readonly rationale: string;
  readonly by: string;
  /** Of name and description: what consent is given to. */
  readonly sha256: string;
}

export interface Proposing {
  readonly ledger: AuditLedger;
  readonly teamId: string;
  readonly roleName: string;
  readonly roleDescription: string;
  readonly rationale: string;
  /** Who proposes; can not consent. */
  readonly by: string;
  /** The ids of the roster: none of them can be proposed again. */
  readonly taken: { has(id: string): boolean };
}

const DESCRIPTION = 8000;

const RATIONALE = 4000;

/**
 * Books a proposal; nothing follows from it. Throws `INVALID_PROPOSAL` for a name that can be no persona's or that is
 * taken, and for a text with characters that a person would not see: consent is given to what is seen.
 */
export function proposeRole(proposing: Proposing): Proposal {
  const { ledger, teamId, roleName, taken } = proposing;
  const fault = idFault(roleName, taken);
  if (fault !== undefined) throw invalid(`${printable(roleName, 64)} ${fault}`, NAMING);
  const roleDescription = visibleText(proposing.roleDescription, 'the description', DESCRIPTION);
  const rationale = visibleText(proposing.rationale, 'the rationale', RATIONALE);
  const by = givenText(proposing.by, 'the proposer', 200);
  const row = ledger.append({
    teamId,
    eventType: AUDIT_EVENTS.proposal,
    payload: { role_name: roleName, role_description: roleDescription, rationale, by },
  });
  return told(row.id, { roleName, roleDescription, rationale, by });
}

/** The proposals of a team, oldest first. A row that lacks a part is none: without a proposer anybody could be it. */
export const proposalsOf = (ledger: AuditLedger, teamId: string): readonly Proposal[] =>
  ledger.list({ teamId, eventType: AUDIT_EVENTS.proposal }).flatMap(({ id, payload }) => {
    const roleName = textAt(payload, 'role_name');
    const roleDescription = textAt(payload, 'role_description');
    const rationale = textAt(payload, 'rationale');
    const by = textAt(payload, 'by');
    return roleName && roleDescription && rationale && by
      ? [told(id, { roleName, roleDescription, rationale, by })]
      : [];
  });

/** The name and the text of a persona, as one hash. */
export const proposalHash = (roleName: string, roleDescription: string): string =>
  createHash('sha256')
    .update(JSON.stringify([roleName, roleDescription]))
    .digest('hex');

const told = (proposalId: number, proposal: Omit<Proposal, 'proposalId' | 'sha256'>): Proposal => ({
  proposalId,
  ...proposal,
  sha256: proposalHash(proposal.roleName, proposal.roleDescription),
});

const BETWEEN_TABS_AND_BREAKS = /[^\t\n]+/g;

function visibleText(value: unknown, name: string, limit: number): string {
  const text = givenText(value, name, limit);
  const pieces = text.match(BETWEEN_TABS_AND_BREAKS) ?? [];
  if (pieces.every((piece) => printable(piece, Number.POSITIVE_INFINITY) === piece)) return text;
  throw invalid(`${name} has characters that can not be seen`, 'Leave out control characters.');
}

const NAMING =
  'Use 2 to 62 lower-case letters, digits and dashes, a letter first, that the roster lacks.';

const invalid = (message: string, hint: string): TeamError =>
  new TeamError('INVALID_PROPOSAL', message, hint);
