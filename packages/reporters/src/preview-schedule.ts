import type { PlanPreview, PreviewTask } from '@atelier/engine/plan';
import { count } from './count.ts';
import { names } from './names.ts';

/** What is the schedule, and what would come of the other one. Nothing for a plan of one wave, where both are the same. */
export function scheduleText({ schedule, waves }: PlanPreview): string[] {
  if (schedule === undefined || waves.length < 2) return [];
  let early = 0;
  const held: PreviewTask['id'][] = [];
  for (const { tasks } of waves)
    for (const task of tasks) {
      if (task.early) early += 1;
      else if (task.unstated && task.after_wave !== null) held.push(task.id);
    }
  const some = count(early, 'task', 'tasks');
  const freed =
    schedule === 'pipeline'
      ? `Schedule: pipeline. ${some} need not wait for the whole wave before.`
      : `Schedule: parallel, wave by wave.${early > 0 ? ` With pipeline ${some} need not wait for the whole wave before.` : ''}`;
  if (held.length === 0) return [freed];
  const why = 'for not saying what is read or written';
  return [
    freed,
    `${count(held.length, 'task is', 'tasks are')} held to the barrier in any case, ${why}: ${names(held)}.`,
  ];
}
