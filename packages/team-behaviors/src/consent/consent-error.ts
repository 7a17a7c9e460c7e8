import { TeamError } from '../team-error.ts';

/** Why a decision is not taken. */
export type ConsentFault =
  | 'CONSENT_NO_PROPOSAL'
  | 'CONSENT_SUPERSEDED'
  | 'CONSENT_EDITED'
  | 'CONSENT_NOT_AN_OPERATOR';

const SAID: Readonly<Record<ConsentFault, readonly [message: string, hint: string]>> = {
  CONSENT_NO_PROPOSAL: [
    'the team has no such proposal',
    'Name a proposal of this team by the id of its row.',
  ],
  CONSENT_SUPERSEDED: [
    'the same persona was proposed again since, perhaps in other words',
    'Read the last proposal and decide on that one.',
  ],
  CONSENT_EDITED: [
    'the proposal is not the one that was read',
    'Read the proposal again; its hash is of its name and description.',
  ],
  CONSENT_NOT_AN_OPERATOR: [
    'who proposes, works or would be admitted can not consent',
    'A person who is none of these decides, on a way that no agent has.',
  ],
};

export const consentError = (code: ConsentFault): TeamError => new TeamError(code, ...SAID[code]);
