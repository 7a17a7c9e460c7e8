import { execFileSync } from 'node:child_process';
import {
  constants,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openRepository, type Repository, type Run } from '../src/index.ts';

/** A folder that goes with the test. */
export function scratch(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'atelier-worktrees-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const env = {
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'person',
  GIT_AUTHOR_EMAIL: 'person@example.invalid',
  GIT_COMMITTER_NAME: 'person',
  GIT_COMMITTER_EMAIL: 'person@example.invalid',
  // No look after each commit whether it is time to tidy up: one more process.
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'maintenance.auto',
  GIT_CONFIG_VALUE_0: 'false',
};

/** Git as a person has it, with whatever the repository configures. */
export const git = (dir: string, ...args: string[]): string =>
  execFileSync('git', args, {
    cwd: dir,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();

/**
 * Several such commands, in a script of sh with its parameters: to start one program takes a process of a test longer than
 * all that git does in them.
 */
const gits = (dir: string, script: string, ...parameters: string[]): string =>
  execFileSync('sh', ['-ec', script, 'sh', ...parameters], {
    cwd: dir,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();

/** The same, with a standard input; nothing is trimmed. */
export const gitOn = (dir: string, input: string, ...args: string[]): string =>
  execFileSync('git', args, { cwd: dir, env, input, encoding: 'utf8' });

export function write(dir: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text);
  }
}

export function commit(
  dir: string,
  files: Readonly<Record<string, string>>,
  message = 'work',
): string {
  write(dir, files);
  return commitAll(dir, message);
}

/** Commits whatever is there. */
export const commitAll = (dir: string, message: string): string =>
  gits(dir, 'git add -A; git commit -qm "$1"; git rev-parse HEAD', message);

/** What is in a folder, by path; a folder in it is one that has no bytes. */
type Held = readonly { readonly path: string; readonly mode: number; readonly bytes?: Buffer }[];

const templates = new Map<string, Held>();

/** A clone with one commit on `main`: a copy of one that is made once for all tests of a process. */
export function clone(
  folder: string = scratch(),
  files: Readonly<Record<string, string>> = { 'f.txt': 'base\n' },
): string {
  const dir = join(folder, 'repo');
  const key = JSON.stringify(files);
  const template = templates.get(key) ?? templateOf(files);
  templates.set(key, template);
  mkdirSync(dir, { recursive: true });
  for (const { path, mode, bytes } of template)
    if (bytes) writeFileSync(join(dir, path), bytes, { mode });
    else mkdirSync(join(dir, path), { mode });
  // The files are not those that the index knows; a person’s git would see to that with the next look.
  git(dir, 'update-index', '-q', '--refresh');
  return dir;
}

function templateOf(files: Readonly<Record<string, string>>): Held {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'atelier-template-')));
  try {
    git(dir, 'init', '-q', '-b', 'main');
    commit(dir, files, 'base');
    return heldIn(dir);
  } finally {
    rmSync(dir, { recursive: true });
  }
}

const heldIn = (dir: string): Held =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((path) => {
      const { mode } = statSync(join(dir, path));
      const isFolder = (mode & constants.S_IFMT) === constants.S_IFDIR;
      return { path, mode, ...(isFolder ? {} : { bytes: readFileSync(join(dir, path)) }) };
    });

/** Builds the situation of a case from its script. */
export function situation(
  name: string,
  folder: string = scratch(),
  more: Record<string, string> = {},
): string {
  execFileSync('sh', [join(import.meta.dirname, 'fixtures', name), folder], {
    env: { ...env, ...more },
    stdio: 'ignore',
  });
  return join(folder, 'repo');
}

export interface Started {
  readonly repository: Repository;
  readonly run: Run;
  readonly warnings: string[];
}

export async function start(
  dir: string,
  { runId = 'r1', root = join(scratch(), 'run') } = {},
): Promise<Started> {
  const repository = await openRepository({ dir });
  const warnings: string[] = [];
  const run = await repository.startRun({ runId, root, warn: (line) => warnings.push(line) });
  return { repository, run, warnings };
}

/** All that a person sees of a checkout: branch, commit, index and files. */
export const seenBy = (dir: string): string =>
  [
    gits(
      dir,
      `git rev-parse HEAD; git branch --show-current
       git status --porcelain=v2 --untracked-files=all; git ls-files --stage`,
    ),
    ...readdirSync(dir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !`${entry.parentPath}/`.includes('/.git/'))
      .map(
        (entry) =>
          `${entry.parentPath}/${entry.name} ${readFileSync(join(entry.parentPath, entry.name), 'utf8')}`,
      ),
  ].join('\n');

/** The code that a promise rejects with. */
export const codeFrom = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'no error',
    (error: { code?: unknown }) => error.code ?? error,
  );
