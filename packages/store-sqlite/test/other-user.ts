import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const NOBODY = 65_534;

const isRoot = process.getuid?.() === 0;

/** Whether a test may act as a second user: only root can. */
export const canBeAnother: boolean = isRoot;

export interface Told {
  readonly name: string;
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

/** What opening a store or taking a lock comes to for an ordinary user; modes mean nothing to root. */
export function tryAsUser(what: 'open' | 'lock', path: string, uid: number = NOBODY): Told | null {
  const command = [process.execPath, join(import.meta.dirname, 'fixtures/try.mjs'), what, path];
  const user = ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'];
  const [program = '', ...args] = isRoot ? [...user, ...command] : command;
  return JSON.parse(execFileSync(program, args, { encoding: 'utf8' })) as Told | null;
}
