import { dirname } from 'node:path';
import type { Confinement } from './confinement.ts';
import { refused } from './error.ts';
import { quoted } from './quoted.ts';

/** Readable on every Mac: programs, libraries, the loader's cache, time zones and certificates. */
export const MAC_SYSTEM: readonly string[] = [
  '/usr',
  '/bin',
  '/sbin',
  '/System',
  '/Library/Apple',
  '/Library/Developer/CommandLineTools',
  '/private/etc/ssl',
  '/private/var/db/dyld',
  '/private/var/db/timezone',
];

/** Symlinks into /private that every program goes over. */
const ROOT_LINKS = ['/etc', '/tmp', '/var'];

const DEVICES = ['/dev/null', '/dev/zero', '/dev/tty', '/dev/dtracehelper'];

/**
 * The rules of a confinement in the language of sandbox-exec. The last rule that matches decides, so what closes
 * something comes after what opens the folder it is in. Paths must be canonical, below /private where /tmp and /var are
 * meant. Throws `SANDBOX_ACCESS` for a path that the language can not spell.
 */
export function seatbeltProfile(confinement: Confinement): string {
  const { worktree, readOnly, frozen, home, read, write, git, sockets, links } = confinement;
  const readable = [...MAC_SYSTEM, ...read, git.common, ...(readOnly ? [worktree] : [])];
  const writable = [...(readOnly ? [] : [worktree]), home, ...write];
  const ancestors = [...ROOT_LINKS, ...[...readable, ...writable].flatMap(above)];
  const closed = [...new Set([git.common, git.pointer, ...frozen])];
  // Rules go by path: a folder that could be renamed would take what is closed out of its rule.
  const kept = [...closed.flatMap(above), worktree, ...writable];
  return [
    '(version 1)',
    '(deny default)',
    '(allow process-fork)',
    '(allow process-exec)',
    '(allow process-info* (target same-sandbox))',
    '(allow signal (target same-sandbox))',
    '(allow sysctl-read)',
    '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo"))',
    '(allow mach-lookup (global-name "com.apple.system.logger"))',
    rule('allow file-read-metadata', 'literal', [...new Set(ancestors)].sort()),
    '(allow file-read-data (literal "/"))',
    rule('allow file-read*', 'subpath', readable),
    ...(links.length === 0
      ? []
      : [rule('allow file-read*', 'literal', [...new Set(links.map(({ at }) => at))])]),
    rule('allow file-read* file-write-data file-ioctl', 'literal', DEVICES),
    '(allow file-read* (literal "/dev/random") (literal "/dev/urandom"))',
    rule('allow file-read* file-write*', 'subpath', writable),
    rule('deny file-write*', 'subpath', closed),
    rule('deny file-write-unlink', 'literal', [...new Set(kept)].sort()),
    ...(git.journal === undefined
      ? []
      : [rule('deny file-read* file-write*', 'subpath', [git.journal])]),
    '(deny network*)',
    ...sockets.map(({ outside, isFolder }) =>
      [
        rule('allow file-read* file-write-data', isFolder ? 'subpath' : 'literal', [outside]),
        `(allow network-outbound (remote unix-socket (${isFolder ? 'subpath' : 'path-literal'} ${text(outside)})))`,
      ].join('\n'),
    ),
    '',
  ].join('\n');
}

const rule = (head: string, kind: 'literal' | 'subpath', paths: readonly string[]): string =>
  `(${head}\n${paths.map((path) => `  (${kind} ${text(path)})`).join('\n')})`;

/** Every folder on the way to a path. */
function above(path: string): string[] {
  const folders: string[] = [];
  for (let folder = dirname(path); folder !== '/'; folder = dirname(folder)) folders.push(folder);
  return [...folders, '/'];
}

/** A string of the profile language, which knows no escape but the backslash. */
function text(path: string): string {
  if (/\p{Cc}/u.test(path))
    throw refused(
      `the path ${quoted(path)} has control characters`,
      'Rename it; a sandbox-exec profile can not spell it.',
    );
  return `"${path.replace(/[\\"]/gu, '\\$&')}"`;
}
