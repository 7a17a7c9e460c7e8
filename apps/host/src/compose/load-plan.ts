import { createHash } from 'node:crypto';
import { type Plan, validatePlan } from '@atelier/engine/plan';
import { HostError } from '../host-error.ts';
import { PlanRefused } from '../plan-refused.ts';
import { readPlanFile } from '../read-plan-file.ts';

/**
 * Reads a plan that is to be run. Throws {@link PlanRefused} with every defect of the file, or `NOT_IMPLEMENTED`
 * naming what it asks for and this version can not do.
 */
export async function loadPlan(path: string): Promise<Plan> {
  const document = await readPlanFile(path);
  if (!document.ok) throw new PlanRefused(document.issues);
  const checked = validatePlan(document.value, { now: new Date().toISOString() });
  if (!checked.ok) throw new PlanRefused(checked.issues);
  assertSupported(checked.plan);
  return checked.plan;
}

function assertSupported({ schedule }: Plan): void {
  if (schedule === 'pipeline')
    throw new HostError(
      'NOT_IMPLEMENTED',
      'the plan asks for schedule: pipeline, which is not there yet',
      'Leave it out, or only preview the plan with atelier plan.',
    );
}

/** Stands for what a plan says, whatever the spelling of its file and the moment it was loaded. */
export const hashOf = ({ tasks, goal, gate, worktree }: Plan): string =>
  createHash('sha256')
    .update(JSON.stringify([goal, tasks.map(({ created_at: _, ...task }) => task), gate, worktree]))
    .digest('hex');
