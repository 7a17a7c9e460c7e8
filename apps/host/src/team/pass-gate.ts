import type { PhaseBypass } from '@atelier/store-sqlite';
import type { Project } from '../compose/project.ts';
import type { Environment } from '../environment.ts';
import { HostError } from '../host-error.ts';
import type { Streams } from '../streams.ts';
import { operatorName } from './operator.ts';
import { projectName } from './project-name.ts';

/** The procedure that a run is. */
export const SKILL = 'dev:dispatch';

/** Who may let a run through. */
export interface Passing {
  readonly streams: Pick<Streams, 'ask' | 'stderr'>;
  readonly environment: Pick<Environment, 'ci'>;
  /** Why a run may begin all the same, as the command line has it. */
  readonly bypassReason: string | undefined;
}

type Home = Pick<Project, 'store' | 'repository'>;

/**
 * The gate of a run in a project that is led as a team. Gives the bypasses that were recorded, none where it was open.
 * Throws `PHASE_GATE` like {@link letThrough}.
 */
export async function passGate(home: Home, passing: Passing): Promise<readonly PhaseBypass[]> {
  const { phases } = home.store.team;
  const project = projectName(home);
  phases.start(project);
  const { allowed, reason } = phases.checkGate(project, SKILL);
  return allowed ? [] : [await letThrough(home, reason, passing)];
}

/**
 * Goes on although something speaks against it: with the reason of the command line, or that of a person who is asked; in
 * CI and without a terminal nobody is. It is recorded before anything goes on. Throws `PHASE_GATE`, naming the way.
 */
export async function letThrough(
  home: Home,
  why: string,
  { streams: { ask, stderr }, environment: { ci }, bypassReason }: Passing,
): Promise<PhaseBypass> {
  const asked = ask && !ci ? ask : async () => '';
  const reason =
    bypassReason ?? (await asked(`${why}. A reason to go on all the same (empty: stop): `));
  if (reason.trim() === '')
    throw new HostError(
      'PHASE_GATE',
      why,
      'Approve the plan: atelier plan --approve FILE. Or go on with a recorded reason: --bypass-reason TEXT.',
    );
  const bypass = home.store.team.phases.bypass({
    ...{ project: projectName(home), skill: SKILL },
    ...{ agent: operatorName(), reason: reason.trim() },
  });
  stderr.write(`the gate was bypassed, and that is recorded: ${why}\n`);
  return bypass;
}
