import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Access } from '../src/access.ts';
import { bubblewrap } from '../src/bubblewrap.ts';
import type { Command } from '../src/command.ts';
import type { Sandbox } from '../src/sandbox.ts';

export const PATH = '/usr/local/bin:/usr/bin:/bin';

/** A folder that goes with the test. Not below /tmp, which is private inside: a write beside a mount fails here. */
export function folder(): string {
  const path = mkdtempSync('/var/tmp/atelier-sandbox-');
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

export interface Project {
  readonly folder: string;
  readonly repo: string;
  readonly worktree: string;
  readonly home: string;
  readonly access: Access;
  /** What the host's own git says. */
  git(...args: readonly string[]): string;
}

/** A real repository with one commit, a linked worktree outside of it, and a journal in the common git folder. */
export function project(): Project {
  const base = join(folder(), 'Wörk Räume');
  const [repo, worktree, home] = ['repo', 'trees/T 1', 'homes/ä'].map((name) =>
    join(base, name),
  ) as [string, string, string];
  for (const path of [repo, join(base, 'trees'), home]) mkdirSync(path, { recursive: true });
  const git = (...args: readonly string[]): string => {
    const env = {
      PATH,
      ...{ GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' },
      ...{ GIT_AUTHOR_NAME: 't', GIT_AUTHOR_EMAIL: 't@example.invalid' },
      ...{ GIT_COMMITTER_NAME: 't', GIT_COMMITTER_EMAIL: 't@example.invalid' },
    };
    const { status, stdout, stderr } = spawnSync('git', ['-C', repo, ...args], {
      env,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr);
    return stdout;
  };
  git('init', '-q', '-b', 'main');
  writeFileSync(join(repo, 'f.txt'), 'base\n');
  git('add', 'f.txt');
  git('commit', '-qm', 'base');
  git('worktree', 'add', '-q', '--detach', worktree);
  mkdirSync(join(repo, '.git/atelier'));
  writeFileSync(join(repo, '.git/atelier/atelier.db'), 'the nonce of another worker');
  const access: Access = { worktree, home, read: [], write: [], sockets: [] };
  return { folder: base, repo, worktree, home, access, git };
}

export const sandbox: Sandbox = bubblewrap();

export type Run = Partial<Command> & { readonly access?: Partial<Access>; readonly by?: Sandbox };

/** Runs a command behind the real walls, and waits for it. */
export function runIn({ worktree, access }: Project, run: Run): SpawnSyncReturns<string> {
  const { access: more, by = sandbox, ...command } = run;
  const wrapped = by.wrap(
    { file: '/bin/sh', args: [], cwd: worktree, env: { PATH, LC_ALL: 'C.UTF-8' }, ...command },
    { ...access, ...more },
  );
  const { file, args, cwd, env } = wrapped;
  return spawnSync(file, args, { cwd, env, encoding: 'utf8', timeout: 30_000 });
}

/** {@link runIn} for a line of shell. */
export const shellIn = (at: Project, line: string, run: Run = {}): SpawnSyncReturns<string> =>
  runIn(at, { args: ['-c', line], ...run });
