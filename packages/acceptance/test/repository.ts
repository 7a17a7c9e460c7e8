import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openRepository, type Run } from '@atelier/worktrees';
import { onTestFinished } from 'vitest';

/** A folder that goes with the test. */
function scratch(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'atelier-acceptance-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const env = {
  PATH: process.env['PATH'],
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'person',
  GIT_AUTHOR_EMAIL: 'person@example.invalid',
  GIT_COMMITTER_NAME: 'person',
  GIT_COMMITTER_EMAIL: 'person@example.invalid',
};

/** Git as a person has it. */
export const git = (dir: string, ...args: string[]): string =>
  execFileSync('git', args, { cwd: dir, env, encoding: 'utf8' }).trim();

export function write(dir: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text);
  }
}

export interface Started {
  readonly clone: string;
  readonly run: Run;
  readonly folder: string;
}

/** A run on a clone with one commit. */
export async function start(
  files: Readonly<Record<string, string>>,
  setUp?: (place: { readonly path: string }) => Promise<void>,
): Promise<Started> {
  const folder = scratch();
  const clone = join(folder, 'clone');
  mkdirSync(clone);
  git(clone, 'init', '-q', '-b', 'main');
  write(clone, files);
  git(clone, 'add', '-A');
  git(clone, 'commit', '-qm', 'base');
  const repository = await openRepository({ dir: clone });
  const run = await repository.startRun({
    runId: 'r1',
    root: join(folder, 'run'),
    ...(setUp && { setUp }),
  });
  return { clone, run, folder };
}

/** Has somebody work in the worktree of an attempt, and saves it; the worktree stays. */
export async function attempt(
  { run }: Pick<Started, 'run'>,
  taskId: string | number,
  work: (path: string) => void,
  produces: readonly string[] = [],
): Promise<{ readonly path: string; readonly commit?: string }> {
  const worktree = await run.carve({ taskId, attempt: 1, produces });
  work(worktree.path);
  const saved = await run.salvage(worktree, `work of ${taskId}`);
  return { path: worktree.path, ...(saved && { commit: saved.commit }) };
}
