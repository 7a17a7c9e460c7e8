import type { Confinement } from './confinement.ts';
import { contains } from './containment.ts';
import { SYSTEM_FOLDERS } from './system-mounts.ts';
import type { Link } from './trail.ts';

/** Where the private HOME appears; the second name is for hosts whose own user lives at the first. */
const HOMES = ['/home/agent', '/home/atelier-agent'] as const;

const OWN_MOUNTS = ['/dev', '/proc', '/run', '/tmp'];

/**
 * Parts of /proc that change the kernel for everybody. They are guarded by file modes alone, and a worker of root is
 * root to these files, whatever its uid inside: by kernel.core_pattern it would run a program on the host.
 */
const KERNEL_SETTINGS = [
  'sys',
  'sysrq-trigger',
  'irq',
  'bus',
  'fs',
  'acpi',
  'scsi',
  'pressure',
].map((name) => `/proc/${name}`);

/** Where bwrap appears to itself. */
const BWRAP_INSIDE = '/run/bwrap';

/** A user namespace of its own, with the fixed identity. */
const OWN_USER = ['--unshare-user', '--uid', '1000', '--gid', '1000'];

interface Bwrap {
  readonly program: string;
  /** What shows the system's programs and libraries. */
  readonly system: readonly string[];
  /** The command may make user namespaces of its own. */
  readonly nestable: boolean;
}

/**
 * What bwrap is called with, the command included. The order is the meaning: a later mount covers an earlier one, so
 * whatever closes something comes after what opens the folder it is in, and the root is frozen last.
 *
 * The command is in a user namespace below that of the sandbox's first process. In the same one it could trace that
 * process, which ends everything inside when the sandbox ends, and make it forget to.
 */
export function bwrapArguments(
  confinement: Confinement,
  { program, system, nestable }: Bwrap,
): readonly string[] {
  const { command, cwd, worktree, frozen, read, write, git, sockets } = confinement;
  const home = homeInside(confinement);
  return [
    ...OWN_USER,
    ...['--unshare-pid', '--unshare-net', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...['--die-with-parent', '--new-session'],
    ...system,
    ...['--dev', '/dev', '--proc', '/proc'],
    ...['--tmpfs', '/tmp', '--tmpfs', '/run'],
    ...['--ro-bind', program, BWRAP_INSIDE],
    ...['--bind', confinement.home, home],
    ...read.flatMap((path) => ['--ro-bind', path, path]),
    ...write.flatMap((path) => ['--bind', path, path]),
    ...[confinement.readOnly ? '--ro-bind' : '--bind', worktree, worktree],
    ...frozen.flatMap((path) => ['--ro-bind', path, path]),
    ...['--ro-bind', git.common, git.common],
    ...(git.pointer === git.common ? [] : ['--ro-bind', git.pointer, git.pointer]),
    ...(git.journal === undefined ? [] : ['--tmpfs', git.journal]),
    ...sockets.flatMap(({ outside, inside }) => ['--ro-bind', outside, inside]),
    ...symlinks(confinement),
    ...['--remount-ro', '/', '--chdir', cwd],
    '--clearenv',
    ...Object.entries({ ...command.env, HOME: home }).flatMap((pair) => ['--setenv', ...pair]),
    ...['--', BWRAP_INSIDE, ...OWN_USER, ...(nestable ? [] : ['--disable-userns'])],
    ...['--die-with-parent', '--dev-bind', '/', '/'],
    ...KERNEL_SETTINGS.flatMap((path) => ['--ro-bind-try', path, path]),
    ...['--chdir', cwd, '--', command.file, ...command.args],
  ];
}

function homeInside({ worktree, read, write, git }: Confinement): string {
  const [usual, other] = HOMES;
  const paths = [worktree, git.common, ...read, ...write];
  return paths.some((path) => contains(usual, path) || contains(path, usual)) ? other : usual;
}

/** The symlinks over which the given paths lead, where no mount shows them already. */
function symlinks({ worktree, read, write, git, links }: Confinement): readonly string[] {
  const there = [...SYSTEM_FOLDERS, ...OWN_MOUNTS, worktree, git.common, ...read, ...write];
  const missing = new Map<string, Link>();
  for (const link of links) if (!visible(link.at, there)) missing.set(link.at, link);
  return [...missing.values()].flatMap(({ at, to }) => ['--symlink', to, at]);
}

/** Below /tmp and /run only what is mounted is there; the folders themselves are. */
const visible = (at: string, there: readonly string[]): boolean =>
  there.some((folder) => (OWN_MOUNTS.includes(folder) ? at === folder : contains(folder, at)));
