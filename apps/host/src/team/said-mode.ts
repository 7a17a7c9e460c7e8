import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stateFolder } from '../compose/state-folder.ts';
import { writeBeside } from './mode-marker.ts';

/** Beside the journal, where no commit and no worker comes. */
const FILE = 'dispatch-mode';

/** What a person last said with `atelier mode set` in a clone; undefined when nobody did, or nobody may read it. */
export function saidMode(stateDir: string): string | undefined {
  try {
    return readFileSync(join(stateDir, FILE), 'utf8').trim();
  } catch {
    return undefined;
  }
}

/** Keeps it. Throws `STATE_DIR_UNWRITABLE`. */
export const keepSaidMode = (stateDir: string, mode: string): void =>
  writeBeside(join(stateFolder(stateDir), FILE), `${mode}\n`);
