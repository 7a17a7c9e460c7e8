import { printable } from '@atelier/envelope';
import { TeamError } from '../team-error.ts';

/** Something that only a person can supply. */
export type Gap =
  /** A task that was abandoned or is held. */
  | {
      readonly kind: 'task-abandon';
      readonly taskId: string | number;
      readonly category: string;
      readonly description: string;
    }
  /** A persona that the roster lacks. */
  | { readonly kind: 'persona'; readonly gapId: string; readonly description: string };

const TASK = 'task-';

const GAP_ID = /^(?!task-)[A-Za-z0-9][\w.:-]{0,99}$/u;

/** The gap that an abandoned task leaves. */
export const taskGapId = (taskId: string | number): string => `${TASK}${taskId}`;

/** The task of a gap, by the text of its id; undefined for other gaps. */
export const taskOfGap = (gapId: string): string | undefined =>
  gapId.startsWith(TASK) ? gapId.slice(TASK.length) : undefined;

/** The id of a gap. Throws `INVALID_GAP_ID`, also for a persona's that would take the place of a task's and silence it. */
export function gapIdOf(gap: Gap): string {
  if (gap.kind === 'task-abandon') return taskGapId(gap.taskId);
  if (GAP_ID.test(gap.gapId)) return gap.gapId;
  throw new TeamError(
    'INVALID_GAP_ID',
    `${printable(gap.gapId, 64)} can not be the gap of a persona`,
    `Use 1 to 100 letters, digits, dots, colons, dashes or underscores that do not begin with ${TASK}.`,
  );
}
