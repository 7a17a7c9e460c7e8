import { join } from 'node:path';
import type { ContentGit } from './content-git.ts';
import { WorktreeError } from './error.ts';
import { belowFolder, splitNul } from './nul-list.ts';
import { openUp } from './open-up.ts';
import { shown } from './shown.ts';

/** A worktree, and the private index that it is compared with. */
export interface Desk {
  readonly content: ContentGit;
  readonly path: string;
  readonly index: string;
}

interface Untracked {
  readonly files: readonly Buffer[];
  /** Folders that are repositories of their own. */
  readonly nested: readonly Buffer[];
}

const SLASH = '/'.charCodeAt(0);

/** Lists files that are neither in the index nor ignored, those inside nested repositories included. */
export async function listUntracked(desk: Desk): Promise<Untracked> {
  const names = await listOthers(desk);
  const isFolder = (name: Buffer) => name.at(-1) === SLASH;
  const inside = await listRepositories(
    desk,
    names.filter(isFolder).map((name) => name.subarray(0, -1)),
  );
  return {
    files: [...names.filter((name) => !isFolder(name)), ...inside.files],
    nested: inside.nested,
  };
}

/** Lists nested repositories and their files. Git stops at one; a listing of its own, against no index, goes on. */
export async function listRepositories(desk: Desk, folders: readonly Buffer[]): Promise<Untracked> {
  const files: Buffer[] = [];
  const nested: Buffer[] = [];
  for (const folder of folders) {
    nested.push(folder);
    const text = folder.toString('utf8');
    // An argument is text: a folder whose name is not stays listed as nested, without its files.
    if (!Buffer.from(text).equals(folder)) continue;
    const inside = await listUntracked({
      content: desk.content,
      path: join(desk.path, text),
      index: `${desk.index}.none`,
    });
    nested.push(...inside.nested.map((one) => belowFolder(folder, one)));
    files.push(...inside.files.map((one) => belowFolder(folder, one)));
  }
  return { files, nested };
}

async function listOthers({ content, path, index }: Desk): Promise<Buffer[]> {
  const list = () => content.on(path, index)(['ls-files', '--others', '--exclude-standard', '-z']);
  let { stdout, stderr } = await list();
  if (/could not open directory/.test(stderr)) {
    await openUp(Buffer.from(path));
    ({ stdout, stderr } = await list());
  }
  if (/could not open directory/.test(stderr))
    throw new WorktreeError(
      'SALVAGE_INCOMPLETE',
      `a folder below ${shown(path)} can not be read`,
      'The worktree was kept; make the folder readable and salvage again.',
    );
  return splitNul(stdout);
}
