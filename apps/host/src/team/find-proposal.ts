import type { Team } from '@atelier/store-sqlite';
import { type Proposal, proposalsOf } from '@atelier/team-behaviors';
import type { Project } from '../compose/project.ts';
import { HostError } from '../host-error.ts';
import { teamsOfProject } from './teams-of-project.ts';

type Home = Pick<Project, 'store' | 'repository'>;

/** A proposal, and the team whose ledger has it. */
export interface ProposalOfTeam {
  readonly team: Team;
  readonly proposal: Proposal;
}

/** The proposals of all teams of a project, oldest first; of one run's team when it is named. */
export const everyProposal = (project: Home, run: string | undefined): readonly ProposalOfTeam[] =>
  teamsOfProject(project)
    .filter(({ runId }) => run === undefined || runId === run)
    .flatMap((team) =>
      proposalsOf(project.store.team.ledger, team.teamId).map((proposal) => ({ team, proposal })),
    )
    .sort((one, other) => one.proposal.proposalId - other.proposal.proposalId);

/**
 * The proposal with a number. Numbers are of the ledger as a whole, so that one is never another's. Throws
 * `NO_SUCH_PROPOSAL`.
 */
export function findProposal(
  project: Home,
  { number, run }: { readonly number: string; readonly run: string | undefined },
): ProposalOfTeam {
  const found = everyProposal(project, run).find(
    ({ proposal }) => String(proposal.proposalId) === number,
  );
  if (found) return found;
  throw new HostError(
    'NO_SUCH_PROPOSAL',
    `there is no proposal "${number}"${run === undefined ? '' : ` of run ${run}`}`,
    'See atelier roster proposals for their numbers.',
  );
}

/** Whether the same persona was proposed again since, for whichever team: decisions are on the last proposal of an id. */
export const isSuperseded = (
  { proposal: { roleName, proposalId } }: ProposalOfTeam,
  all: readonly ProposalOfTeam[],
): boolean =>
  all.some(({ proposal }) => proposal.roleName === roleName && proposal.proposalId > proposalId);
