import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';

/** A clone with one commit, beside a home that has a git setting of its own. */
export interface MergePlace {
  readonly folder: string;
  readonly clone: string;
  readonly env: NodeJS.ProcessEnv;
  /** Every setting of git that is not in the clone, byte by byte. */
  readonly settings: string;
}

export function mergePlace(folder: string): MergePlace {
  const [clone, home] = [join(folder, 'clone'), join(folder, 'home')];
  for (const path of [clone, home]) mkdirSync(path);
  writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = bench\n\temail = bench@localhost\n');
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    XDG_STATE_HOME: join(home, 'state'),
    XDG_CONFIG_HOME: join(home, 'config'),
  };
  const place = { folder, clone, env };
  git(place, 'init', '--quiet', '--initial-branch=main');
  writeFileSync(join(clone, 'README.md'), 'bench\n');
  git(place, 'add', '.');
  git(place, 'commit', '--quiet', '-m', 'begin');
  return { ...place, settings: settingsOf(env) };
}

/** One new file for each task. */
export const fileOf = (task: string): string => `files/${task}.txt`;

/**
 * What is wrong in a clone after a run: files that are not merged, branches beside `main` and the run's own,
 * worktrees, folders of worktrees, settings of git.
 */
export function faultsOf(
  place: MergePlace,
  { tasks, branch, under }: { tasks: readonly string[]; branch: string; under: string },
): string[] {
  const list = (...args: readonly string[]) => git(place, ...args).split('\n');
  const merged = new Set(list('ls-tree', '-r', '--name-only', branch));
  const missing = tasks.filter((task) => !merged.has(fileOf(task))).length;
  const branches = list('for-each-ref', '--format=%(refname:short)', 'refs/heads');
  const foreign = branches.filter((name) => name !== 'main' && name !== branch);
  const worktrees = list('worktree', 'list', '--porcelain').filter((line) =>
    line.startsWith('worktree '),
  );
  const left = readdirSync(under, { encoding: 'utf8', recursive: true }).filter(
    (path) => basename(path) === '.git',
  );
  return [
    ...(missing > 0 ? [`${missing} of ${tasks.length} not merged`] : []),
    ...(foreign.length > 0 ? [`branches left: ${foreign.join(' ')}`] : []),
    ...(worktrees.length > 1 ? [`${worktrees.length - 1} worktrees left`] : []),
    ...(left.length > 0 ? [`${left.length} folders of worktrees left`] : []),
    ...(settingsOf(place.env) === place.settings ? [] : ['settings of git were changed']),
  ];
}

export const git = (
  { clone, env }: Omit<MergePlace, 'settings'>,
  ...args: readonly string[]
): string => execFileSync('git', ['-C', clone, ...args], { env, encoding: 'utf8' }).trim();

/** Of the home that the run was given and of the one that this process has; and of the machine. */
const settingsOf = (env: NodeJS.ProcessEnv): string =>
  [String(env['HOME']), homedir()]
    .flatMap((home) => [join(home, '.gitconfig'), join(home, '.config/git/config')])
    .concat(join(String(env['XDG_CONFIG_HOME']), 'git/config'), '/etc/gitconfig')
    .map((path) => (existsSync(path) ? readFileSync(path, 'utf8') : 'none'))
    .join('\0');
