import { constants } from 'node:fs';
import { copyFile, link, lstat, mkdir, readlink, rmdir, symlink, unlink } from 'node:fs/promises';
import { codeOf, WorktreeError } from '../error.ts';
import { shown } from '../shown.ts';
import { bytePath, bytesOf } from './byte-path.ts';
import { type Ignored, readFolder } from './ignored.ts';

/** How much may still be brought along. */
export interface Budget {
  files: number;
  bytes: number;
}

/** What was brought along, in bytes relative to the worktree. */
export interface Placed {
  readonly files: string[];
  readonly folders: string[];
}

interface Bringing {
  readonly from: string;
  readonly to: string;
  /** `link` shares the bytes with the clone where the file system can. */
  readonly by: 'copy' | 'link';
  readonly budget: Budget;
  /** The pattern, for the message. */
  readonly pattern: string;
}

/** How many entries of a folder are brought together. */
const BATCH = 32;

/**
 * Brings a file or folder of the clone to the same place in the worktree. Never overwrites, follows no link on
 * either side, and passes over git dirs and what is neither file, folder nor link. Throws `EQUIPMENT_TOO_LARGE`.
 */
export async function bring({ path, isFolder }: Ignored, bringing: Bringing): Promise<Placed> {
  const placed: Placed = { files: [], folders: [] };
  const to = bytePath(bringing.to);
  const folders = path.split('/').slice(0, isFolder ? undefined : -1);
  for (let depth = 1; depth <= folders.length; depth += 1) {
    const folder = folders.slice(0, depth).join('/');
    if (!(await makeFolder(`${to}/${folder}`))) return placed;
    placed.folders.push(folder);
  }
  if (isFolder) await bringFolder(path, bringing, placed);
  else await bringFile(path, bringing, placed);
  return placed;
}

/** Takes back what was brought, and folders that are empty without it. */
export async function takeBack(worktree: string, { files, folders }: Placed): Promise<void> {
  const pathOf = (path: string) => bytesOf(`${bytePath(worktree)}/${path}`);
  for (const file of files) await unlink(pathOf(file));
  for (const folder of [...folders].reverse()) await rmdir(pathOf(folder)).catch(() => undefined);
}

async function bringFolder(path: string, bringing: Bringing, placed: Placed): Promise<void> {
  const entries = await readFolder(`${bytePath(bringing.from)}/${path}`);
  for (let at = 0; at < entries.length; at += BATCH)
    await Promise.all(
      entries.slice(at, at + BATCH).map(async (entry) => {
        if (!entry.isDirectory()) await bringFile(`${path}/${entry.name}`, bringing, placed);
      }),
    );
  for (const entry of entries.filter((one) => one.isDirectory())) {
    const folder = `${path}/${entry.name}`;
    if (!(await makeFolder(`${bytePath(bringing.to)}/${folder}`))) continue;
    placed.folders.push(folder);
    await bringFolder(folder, bringing, placed);
  }
}

/** False where something else than a folder is in the way. */
async function makeFolder(path: string): Promise<boolean> {
  try {
    await mkdir(bytesOf(path));
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    return (await lstat(bytesOf(path))).isDirectory();
  }
}

async function bringFile(path: string, bringing: Bringing, placed: Placed): Promise<void> {
  const { by, budget, pattern } = bringing;
  const from = bytesOf(`${bytePath(bringing.from)}/${path}`);
  const to = bytesOf(`${bytePath(bringing.to)}/${path}`);
  const found = await lstat(from).catch(() => undefined);
  if (!found?.isFile() && !found?.isSymbolicLink()) return;
  budget.files -= 1;
  const copy = async () => {
    budget.bytes -= found.size;
    assertRoom(budget, pattern);
    await copyFile(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
  };
  assertRoom(budget, pattern);
  try {
    if (found.isSymbolicLink()) await symlink(await readlink(from, { encoding: 'buffer' }), to);
    // Removing a folder may have to change the rights of what is in it, which a link would share.
    else if (by === 'copy' || (found.mode & OWNER_READS) === 0) await copy();
    else
      await link(from, to).catch((error: unknown) => {
        if (!NOT_LINKED.has(codeOf(error))) throw error;
        return copy();
      });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    return;
  }
  placed.files.push(path);
}

const OWNER_READS = 0o400;

/** Another disk, too many links, or a system that lets nobody link a file of somebody else. */
const NOT_LINKED: ReadonlySet<unknown> = new Set(['EXDEV', 'EMLINK', 'EPERM', 'ENOTSUP']);

function assertRoom({ files, bytes }: Budget, pattern: string): void {
  if (files >= 0 && bytes >= 0) return;
  throw new WorktreeError(
    'EQUIPMENT_TOO_LARGE',
    `the equipment pattern ${shown(pattern)} names too much: ${files < 0 ? 'too many files' : 'too many bytes'}`,
    'Name less, or link whole folders instead of copying them.',
  );
}
