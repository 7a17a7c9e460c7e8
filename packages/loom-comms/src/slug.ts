import { createHash } from 'node:crypto';

const LONGEST = 64;

/** A text as one component of a path: letters and digits of any script, `-` and `_`, at most 64 units; never empty. */
export function slug(text: string): string {
  const plain = text
    .slice(0, LONGEST * 4)
    .toWellFormed()
    .replaceAll(/[^\p{L}\p{N}_-]+/gu, '-')
    .slice(0, LONGEST)
    .replace(/[\ud800-\udbff]$/, '')
    .replaceAll(/^-+|-+$/g, '');
  return plain || 'goal';
}

/** Eight hex digits that tell texts apart whose slugs are the same. */
export const shortHash = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 8);
