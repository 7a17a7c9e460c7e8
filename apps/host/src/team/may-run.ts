import type { Drive } from '../compose/drive-run.ts';
import type { Project } from '../compose/project.ts';
import { PlanRefused } from '../plan-refused.ts';
import { approvedHash } from './approve-plan.ts';
import { letThrough, type Passing } from './pass-gate.ts';
import { stoppedTasks } from './stopped-tasks.ts';

/** Throws {@link PlanRefused} with every task that a post-mortem stopped, or that needs one of these, and nobody answered. */
export function assertNotStopped(project: Project, { tasks }: Pick<Drive, 'tasks'>): void {
  const stopped = stoppedTasks(project, tasks);
  if (stopped.length > 0) throw new PlanRefused(stopped);
}

/** Throws `PHASE_GATE` for another plan than the approved one, unless somebody lets it through. */
export async function assertApproved(
  project: Project,
  { about }: Pick<Drive, 'about'>,
  passing: Passing,
): Promise<void> {
  const approved = approvedHash(project.store.team.phases, project.repository.id);
  if (approved !== undefined && about['planHash'] !== approved)
    await letThrough(project, 'the plan is not the one that was approved', passing);
}
