import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The commit that a branch is at, as its own file or the list of packed refs has it; undefined where neither does. For
 * what has to be told without a process: git knows more.
 */
export function branchAt(commonDir: string, ref: string): string | undefined {
  const own = /^([0-9a-f]{40,64})\n$/u.exec(textOf(join(commonDir, ref)))?.[1];
  return own ?? packedIn(textOf(join(commonDir, 'packed-refs')), ref);
}

/** One ref a line, behind its commit. */
const packedIn = (packed: string, ref: string): string | undefined =>
  packed
    .split('\n')
    .find((line) => line.endsWith(` ${ref}`))
    ?.slice(0, -ref.length - 1);

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
