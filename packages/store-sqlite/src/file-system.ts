import { readFileSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { printable } from '@atelier/envelope';
import { StoreError } from './error.ts';

/** Tells the type of the file system that an absolute path is on, as the system names it; undefined for unknown. */
export type FileSystemProbe = (path: string) => string | undefined;

/**
 * What carries files between machines, or into a virtual one. Two sides do not share the memory that SQLite's log
 * needs, and their locks are promises at best.
 */
const SHARED: ReadonlySet<string> = new Set([
  ...['nfs', 'nfs4', 'cifs', 'smb2', 'smb3', 'smbfs', 'ncpfs', 'afs', 'coda', '9p', 'virtiofs'],
  ...['ceph', 'glusterfs', 'lustre', 'gpfs', 'beegfs', 'orangefs', 'pvfs2', 'ocfs2', 'gfs2'],
  ...['vboxsf', 'prl_fs', 'vmhgfs', 'fakeowner', 'osxfs', 'grpcfuse'],
  ...['fuse.sshfs', 'fuse.glusterfs', 'fuse.ceph', 'fuse.ceph-fuse', 'fuse.vmhgfs-fuse'],
  ...['fuse.rclone', 'fuse.s3fs', 'fuse.gcsfuse', 'fuse.davfs2', 'davfs', 'fuse.juicefs'],
  ...['fuse.osxfs', 'fuse.grpcfuse', 'fuse.smbnetfs', 'fuse.curlftpfs', 'fuse.prl_fsd'],
]);

/** Throws `STORE_ON_NETWORK` for a file, there or yet to be made, on what several machines may share. */
export function assertLocal(path: string, probe: FileSystemProbe): void {
  const type = probe(realPlace(path));
  if (type === undefined || !SHARED.has(type)) return;
  throw new StoreError(
    'STORE_ON_NETWORK',
    `the store ${printable(path, 400)} is on a file system that machines share (${printable(type)})`,
    'SQLite loses data there. Nothing was touched. Keep the repository on a disk of this machine.',
  );
}

/** On Linux what the kernel says is mounted there; elsewhere nothing is known. */
export function fileSystemOf(path: string): string | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    return typeAt(path, readFileSync('/proc/self/mountinfo', 'utf8'));
  } catch {
    return undefined;
  }
}

/** The type of the innermost mount that holds a path; of several on one place the last covers the others. */
export function typeAt(path: string, mountinfo: string): string | undefined {
  let found = { length: -1, type: '' };
  for (const line of mountinfo.split('\n')) {
    const [before = '', after] = line.split(' - ');
    const [, , , , point] = before.split(' ');
    const [type] = after?.split(' ') ?? [];
    if (point === undefined || type === undefined) continue;
    const folder = unescaped(point);
    if (holds(folder, path) && folder.length >= found.length)
      found = { length: folder.length, type };
  }
  return found.type || undefined;
}

const holds = (folder: string, path: string): boolean =>
  folder === '/' || path === folder || path.startsWith(`${folder}/`);

/** The kernel writes blanks, tabs, line breaks and backslashes in octal. */
const unescaped = (text: string): string =>
  text.replace(/\\([0-7]{3})/gu, (_, octal: string) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  );

function realPlace(path: string): string {
  for (const place of [path, dirname(path)]) {
    try {
      return realpathSync(place);
    } catch {
      // Not there yet: its folder decides, and a folder that is not there is refused by whoever opens it.
    }
  }
  return path;
}
