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

function assertSupported({ gate, schedule, budget, tasks }: Plan): void {
  const missing = [
    ...(gate === undefined ? [] : ['gate']),
    ...(schedule === 'pipeline' ? ['schedule: pipeline'] : []),
    ...(budget === undefined ? [] : ['budget']),
    ...(tasks.some(({ verify }) => verify !== undefined) ? ['verify'] : []),
    ...(tasks.some(({ reviews }) => reviews !== undefined && reviews !== null) ? ['reviews'] : []),
  ];
  if (missing.length > 0)
    throw new HostError(
      'NOT_IMPLEMENTED',
      `the plan asks for ${missing.join(', ')}, which is not there yet`,
      'Leave it out, or only preview the plan with atelier plan.',
    );
}

/** What workers are told of a plan and this version does not hold them to. */
export function unchecked({ tasks }: Plan): string[] {
  const keys = [
    ...(tasks.some(({ writes }) => writes && writes.length > 0) ? ['writes'] : []),
    ...(tasks.some(({ must_produce: paths }) => paths && paths.length > 0) ? ['must_produce'] : []),
  ];
  return keys.map(
    (key) => `workers are told ${key}, but it is not checked yet: look at the merged work`,
  );
}

/** Stands for what a plan says, whatever the spelling of its file and the moment it was loaded. */
export const hashOf = ({ tasks, goal }: Plan): string =>
  createHash('sha256')
    .update(JSON.stringify([goal, tasks.map(({ created_at: _, ...task }) => task)]))
    .digest('hex');
