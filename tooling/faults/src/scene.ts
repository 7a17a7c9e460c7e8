import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PlanName, WORKER } from './plan.ts';

/** Every scene has one run. */
export const RUN_ID = 'run';
export const BRANCH = 'refs/heads/atelier/run';

/** Where everything of one scene lies. Absolute paths. */
export interface Place {
  readonly plan: PlanName;
  readonly folder: string;
  readonly repo: string;
  /** Worktrees and spools. */
  readonly stateDir: string;
  /** What workers tell of themselves. */
  readonly told: string;
  /** The program of the workers. */
  readonly worker: string;
  /** For temporary files of the hosts. */
  readonly temporary: string;
}

/** A clone in a folder of its own, in which a run has not begun. */
export interface Scene extends Place {
  git(...args: readonly string[]): string;
  remove(): void;
}

export function makeScene(plan: PlanName): Scene {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'faults-')));
  const at = (name: string) => join(folder, name);
  const place = {
    plan,
    folder,
    repo: at('clone'),
    stateDir: at('state'),
    told: at('told'),
    worker: at('worker.sh'),
    temporary: at('tmp'),
  };
  for (const path of [place.stateDir, place.told, place.temporary])
    mkdirSync(path, { mode: 0o700 });
  writeFileSync(place.worker, WORKER, { mode: 0o755 });
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-C', place.repo, ...IDENTITY, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 64 * 1024 * 1024,
    });
  execFileSync('git', ['init', '--quiet', '--initial-branch=main', place.repo]);
  writeFileSync(join(place.repo, 'README.md'), 'hello\n');
  git('add', '.');
  git('commit', '--quiet', '-m', 'begin');
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  return { ...place, git, remove };
}

const IDENTITY = ['-c', 'user.name=me', '-c', 'user.email=me@localhost', '-c', 'gc.auto=0'];
