import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AttemptPlace } from './agent.ts';

/** A file that a program takes instead of an argument. The worker can change it, so nothing is read back from it. */
export interface CallFile {
  /** Not that of the reply file. */
  readonly name: string;
  readonly text: string;
}

/** Where it lies: beside the reply file, the one folder that has the same path on both sides of the walls. */
export const callFilePath = ({ replyFile }: AttemptPlace, name: string): string =>
  join(dirname(replyFile), name);

/** Throws when it is there already, or can not be written. */
export function writeCallFile({ name, text }: CallFile, place: AttemptPlace): void {
  writeFileSync(callFilePath(place, name), text, { mode: 0o600, flag: 'wx' });
}
