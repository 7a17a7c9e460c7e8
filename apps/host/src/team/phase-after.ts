import type { RunReport } from '@atelier/engine';
import type { Phases } from '@atelier/store-sqlite';

/** Who moves a project on when a run has earned it. */
const AGENT = 'atelier run';

/** What a run whose tasks are all done has earned. Never a review: that is for a person to open. */
const EARNED: readonly string[] = ['tdd:red', 'tdd:green', 'tdd:clean'];

interface Moving {
  readonly phases: Phases;
  readonly project: string;
  readonly runId: string;
}

/** Takes an approved plan to work in progress. A project that is elsewhere, let through by a bypass, stays there. */
export function phaseOfWork({ phases, project, runId }: Moving): void {
  if (phases.current(project) === 'plan:approved') step({ phases, project, runId }, 'tdd:red');
}

/** Where a project is after a run, and why it is there. */
interface PhaseAfter {
  readonly phase: string;
  readonly why: string;
}

/**
 * The phase of a project that a run leaves alone: one that is not led as a team, or whose run was of another plan than
 * the approved one. Undefined where nobody has begun with phases.
 */
export function phaseKept(
  { phases, project }: Omit<Moving, 'runId'>,
  { isTeam }: { readonly isTeam: boolean },
): PhaseAfter | undefined {
  if (isTeam) return { phase: phases.current(project), why: 'the run was of another plan' };
  return phases.history(project).length === 0
    ? undefined
    : { phase: phases.current(project), why: 'the project is not led as a team' };
}

/**
 * Moves the phase as far as a run has earned it, each step recorded: to the end of the work when every task is done, and
 * no further; after anything else not at all. Gives the phase, and why it is not another.
 */
export function phaseAfter(moving: Moving, { verdict }: Pick<RunReport, 'verdict'>): PhaseAfter {
  const { phases, project } = moving;
  const at = () => phases.current(project);
  if (verdict !== 'complete') return { phase: at(), why: `the run ended ${verdict}` };
  const from = EARNED.indexOf(at());
  if (from < 0) return { phase: at(), why: 'the run was let through from another phase' };
  for (const to of EARNED.slice(from + 1)) step(moving, to);
  return { phase: at(), why: 'every task is done' };
}

/** Somebody else may have moved the project meanwhile: then it stays where they put it. */
function step({ phases, project, runId }: Moving, to: string): void {
  const from = phases.current(project);
  if (phases.next(project).includes(to))
    phases.advance({ project, from, to, agent: AGENT, detail: `run ${runId}` });
}
