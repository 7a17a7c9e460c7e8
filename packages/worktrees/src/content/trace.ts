import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';

/** What a walk through a folder saw. Two that saw the same have seen the same content, but see {@link isOlderThan}. */
export interface Sighting {
  readonly digest: string;
  /** When the youngest of its entries last changed, by the clock of the file system. */
  readonly youngestMs: number;
  /** How many entries are no folders, symbolic links among them. */
  readonly files: number;
  readonly links: number;
}

/** Notes every entry of a walk, in the order of the walk. */
export interface Trace {
  /** An entry that is no folder. */
  addFile(path: string, found: Stats): void;
  /** Absent when it could be listed, but not looked at. */
  addFolder(path: string, found: Stats | undefined): void;
  /** Something could not be looked at. */
  addUnseen(): void;
  /** `undefined` where something could not be looked at. */
  end(): Sighting | undefined;
}

export function trace(): Trace {
  const hash = createHash('sha256');
  let youngestMs = 0;
  let files = 0;
  let links = 0;
  let isWhole = true;
  const addUnseen = () => {
    isWhole = false;
  };
  return {
    addUnseen,
    addFile(path, found) {
      const { mode, size, ino, ctimeMs } = found;
      files += 1;
      if (found.isSymbolicLink()) links += 1;
      hash.update(`${path}\0${mode} ${size} ${ino} ${ctimeMs}\0`, 'latin1');
      youngestMs = Math.max(youngestMs, ctimeMs);
    },
    addFolder(path, found) {
      if (!found) return addUnseen();
      const { ino, ctimeMs } = found;
      // One that changed its place and came back has the files it had.
      hash.update(`${path}/\0${ino} ${ctimeMs}\0`, 'latin1');
      youngestMs = Math.max(youngestMs, ctimeMs);
    },
    end: () => {
      const digest = hash.digest('base64');
      return isWhole ? { digest, youngestMs, files, links } : undefined;
    },
  };
}

/** The slowest clock that a system stamps its files by. */
const TICK_MS = 10;

/**
 * Whether all was there before that moment of the same clock. Only then a later change has another time: one within the
 * same tick would show in no stamp.
 */
export const isOlderThan = ({ youngestMs }: Pick<Sighting, 'youngestMs'>, ms: number): boolean =>
  youngestMs < ms - TICK_MS;
