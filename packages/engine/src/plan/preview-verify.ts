import { printable } from '@atelier/envelope';
import type { ScheduledWave } from '../core/schedule.ts';
import { taskKey } from '../core/task.ts';
import type { Flow } from './preview-flow.ts';
import type { PreviewWarning } from './preview-warning.ts';

/**
 * One warning for all tasks whose `verify` may run before earlier waves are merged: what a command reads is no part of
 * what its task says that it reads, so that without barriers nothing makes it wait.
 */
export function* earlyVerifies(
  waves: readonly ScheduledWave[],
  flow: ReadonlyMap<string, Flow>,
): Generator<PreviewWarning> {
  const early = waves
    .flatMap(({ tasks }) => tasks)
    .filter(({ id, verify }) => verify !== undefined && flow.get(taskKey(id))?.early)
    .map(({ id }) => taskKey(id));
  const [first, ...more] = early;
  if (first === undefined) return;
  const others = more.length > 0 ? ` and ${more.length} more` : '';
  yield {
    code: 'verify-early',
    taskId: first,
    message: `task "${printable(first, 60)}"${others} may start early: verify then runs on what is merged by that time, which may lack work of earlier waves that is not in reads or depends_on`,
  };
}
