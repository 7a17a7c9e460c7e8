import type { PhaseBypass } from '@atelier/store-sqlite';
import type { Drive } from '../compose/drive-run.ts';
import type { Project } from '../compose/project.ts';
import { PlanRefused } from '../plan-refused.ts';
import { approvedHash } from './approve-plan.ts';
import { letThrough, type Passing } from './pass-gate.ts';
import { projectName } from './project-name.ts';
import { stoppedTasks } from './stopped-tasks.ts';

/** Throws {@link PlanRefused} with every task that a post-mortem stopped, or that needs one of these, and nobody answered. */
export function assertNotStopped(
  project: Project,
  { tasks, runId }: Pick<Drive, 'tasks' | 'runId'>,
): void {
  const stopped = stoppedTasks(project, tasks, runId);
  if (stopped.length > 0) throw new PlanRefused(stopped);
}

/** Whether a plan is the one that a person approved, or none was. */
export function isApproved(
  project: Pick<Project, 'store' | 'repository'>,
  { about }: Pick<Drive, 'about'>,
): boolean {
  const approved = approvedHash(project.store.team.phases, projectName(project));
  return approved === undefined || about['planHash'] === approved;
}

/** Throws `PHASE_GATE` for another plan than the approved one, unless somebody lets it through: then that is given. */
export async function assertApproved(
  project: Pick<Project, 'store' | 'repository'>,
  plan: Pick<Drive, 'about'>,
  passing: Passing,
): Promise<readonly PhaseBypass[]> {
  return isApproved(project, plan)
    ? []
    : [await letThrough(project, 'the plan is not the one that was approved', passing)];
}
