import { delimiter, isAbsolute } from 'node:path';

/**
 * What git is told on every call, whatever the repository's config says. Filter, merge and diff drivers have
 * names that can not be listed beforehand; they are kept out by the git dir that content is handled with.
 */
const SETTINGS: readonly string[] = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.attributesFile=/dev/null',
  'core.untrackedCache=false',
  'core.splitIndex=false',
  'core.safecrlf=false',
  'core.pager=cat',
  'core.editor=false',
  'core.askPass=false',
  'core.sshCommand=false',
  'credential.helper=',
  'diff.external=',
  'protocol.allow=never',
  'protocol.ext.allow=never',
  'commit.gpgSign=false',
  'gpg.program=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'submodule.recurse=false',
  'worktree.guessRemote=false',
  'worktree.useRelativePaths=false',
];

/** The options that come before the name of every git command. */
export const GIT_OPTIONS: readonly string[] = [
  '--no-pager',
  '--no-replace-objects',
  '--literal-pathspecs',
  ...SETTINGS.flatMap((setting) => ['-c', setting]),
];

/** Commits are by the product. */
export const AUTHOR = { name: 'atelier', email: 'atelier@localhost' } as const;

/** Nothing of the caller's environment but where programs are found. */
export const gitEnvironment = (): Record<string, string> => ({
  PATH: absolutePath(process.env['PATH']),
  HOME: '/nonexistent',
  XDG_CONFIG_HOME: '/nonexistent',
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: 'false',
  SSH_ASKPASS: 'false',
  GIT_EDITOR: 'false',
  GIT_PAGER: 'cat',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_AUTHOR_NAME: AUTHOR.name,
  GIT_AUTHOR_EMAIL: AUTHOR.email,
  GIT_COMMITTER_NAME: AUTHOR.name,
  GIT_COMMITTER_EMAIL: AUTHOR.email,
});

const SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin';

/** Git is called from folders that workers write: a relative or empty entry would find a program of theirs. */
function absolutePath(path = SYSTEM_PATH): string {
  const folders = path.split(delimiter).filter(isAbsolute);
  return folders.length > 0 ? folders.join(delimiter) : SYSTEM_PATH;
}
