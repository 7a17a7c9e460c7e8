import { printable } from '@atelier/envelope';
import { count } from './count.ts';
import type { WorkFacts } from './evidence.ts';
import { names } from './names.ts';

/** Conflicts spelled out before they are only counted. */
const TOLD = 3;

/** How much an attempt changed; empty where nobody says. */
export function sizeText({ size }: WorkFacts): string {
  if (!size) return '';
  const { files, insertions, deletions } = size;
  return files === 0
    ? 'no change'
    : `+${insertions} −${deletions} in ${count(files, 'file', 'files')}`;
}

/** Whose work an attempt will conflict with, and where; empty when nobody’s. */
export function conflictText({ conflicts }: WorkFacts): string {
  if (conflicts.length === 0) return '';
  const told = conflicts.slice(0, TOLD).map(({ task, paths }) => {
    const where = paths.length === 0 ? '' : ` in ${names(paths)}`;
    return `${printable(task)}${where}`;
  });
  const rest = conflicts.length - TOLD;
  const more = rest > 0 ? ` and ${count(rest, 'other', 'others')}` : '';
  return `will conflict with ${told.join(', with ')}${more}: decided when the wave is merged`;
}

/** One line for each hash that a worker claimed and the host did not find. */
export const mismatchTexts = ({ mismatches }: WorkFacts): string[] =>
  mismatches.map(({ path, missing }) =>
    missing
      ? `claimed sha256 of ${printable(path)}, which is not there`
      : `claimed sha256 of ${printable(path)} differs from the file's`,
  );
