import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Asked, Said } from './child.ts';

/** Runs plans in a process of their own, whose memory is theirs alone. Rejects when one does not end done. */
export async function askChild(asked: Asked): Promise<Said> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--expose-gc',
    join(import.meta.dirname, 'child.js'),
    JSON.stringify(asked),
  ]);
  return JSON.parse(stdout) as Said;
}
