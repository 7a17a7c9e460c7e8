import { safeName } from '../safe-name.ts';
import type { Look } from './attempt-record.ts';

/** The ref that an attempt’s work is kept on, or what was found beside it at the release. */
export const attemptRef = (
  run: string,
  taskId: string | number,
  attempt: number,
  look: Look = 'saved',
): string =>
  `refs/atelier/${run}/${safeName(taskId)}/${attempt}${look === 'after' ? '-after' : ''}`;
