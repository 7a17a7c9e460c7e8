import { resolve } from 'node:path';
import type { Environment } from '../environment.ts';

/** The folder for state that a command line names, or the usual one. */
export const stateHomeOf = (asked: string | undefined, { cwd, stateHome }: Environment): string =>
  asked === undefined ? stateHome : resolve(cwd, asked);
