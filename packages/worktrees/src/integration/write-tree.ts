import { createHash, randomBytes } from 'node:crypto';
import { closeSync, existsSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Asking } from '../git/keep-asking.ts';
import { oneAtATime } from '../git/one-at-a-time.ts';
import { rankOf, type StoredEntry } from './stored-tree.ts';

interface Desk {
  readonly kept: Asking<string, string>;
  /** A folder for what git is to read. */
  readonly folder: string;
  /** The folder of the object store. */
  readonly store: string;
}

export interface TreeWriter {
  /**
   * Writes a tree for good and resolves to its name. The entries may have any order. Rejects where it is not certain
   * that it is there: a git that is kept takes what it has once found in a pack for written, and a person's gc may have
   * taken that pack since.
   */
  write(entries: readonly StoredEntry[]): Promise<string>;
  /** Ends the git that is kept, if there is one. The next tree starts another. */
  rest(): void;
}

/**
 * All trees are handed over in one file, one after the other: to make a file takes longer than all the rest.
 * Not by `mktree`: it takes entries, but reads no config and so does not flush.
 */
export function treeWriter({ kept, folder, store }: Desk): TreeWriter {
  const inTurn = oneAtATime();
  let sheet: { readonly path: string; readonly fd: number } | undefined;
  return {
    write: (entries) =>
      inTurn(async () => {
        sheet ??= sheetIn(folder);
        const content = contentOf(entries);
        writeSync(sheet.fd, content, 0, content.length, 0);
        ftruncateSync(sheet.fd, content.length);
        const tree = await kept.ask(sheet.path);
        if (tree !== treeName(content, tree.length)) throw new Error('it has read something else');
        if (!existsSync(join(store, tree.slice(0, 2), tree.slice(2))))
          throw new Error('it is in a pack, or was in one');
        return tree;
      }),
    rest() {
      kept.rest();
      if (!sheet) return;
      closeSync(sheet.fd);
      rmSync(sheet.path, { force: true });
      sheet = undefined;
    },
  };
}

function sheetIn(folder: string) {
  const path = join(folder, `tree-${randomBytes(8).toString('hex')}`);
  return { path, fd: openSync(path, 'wx') };
}

const treeName = (content: Buffer, length: number): string =>
  createHash(length === 40 ? 'sha1' : 'sha256')
    .update(`tree ${content.length}\0`)
    .update(content)
    .digest('hex');

function contentOf(entries: readonly StoredEntry[]): Buffer {
  const ranked = entries.map((entry) => ({ ...entry, rank: rankOf(entry) }));
  const sorted = ranked.sort((one, other) => (one.rank < other.rank ? -1 : 1));
  return Buffer.concat(
    sorted.flatMap(({ mode, name, oid }) => [
      Buffer.from(`${mode} ${name}\0`, 'latin1'),
      Buffer.from(oid, 'hex'),
    ]),
  );
}
