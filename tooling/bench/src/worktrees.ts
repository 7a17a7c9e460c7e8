import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRepository, type Run } from '@atelier/worktrees';
import { held, type Row, type Size } from './row.ts';
import { median } from './timing.ts';

const FOLDERS = 200;
const EDITS = 10;
const SIZES = { full: { files: 20_000, rounds: 7 }, small: { files: 100, rounds: 1 } };
const LIMIT = { atMost: 1.3 };

/** Milliseconds of the parts of one attempt. */
interface Laps {
  readonly carve: number;
  readonly save: number;
  readonly merge: number;
  readonly remove: number;
}

/**
 * What one attempt in a large repository costs over the git commands that a person would type for it. Both start
 * from copies of one repository, and take turns.
 */
export async function worktreesBench(size: Size): Promise<Row[]> {
  const { files, rounds } = SIZES[size];
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'atelier-bench-')));
  try {
    const theirs = join(folder, 'bare', 'clone');
    repositoryAt(theirs, files);
    const ours = join(folder, 'ours', 'clone');
    cpSync(join(folder, 'bare'), join(folder, 'ours'), { recursive: true });
    git(theirs, 'worktree', 'add', '--quiet', '-b', 'target', '../target');
    const repository = await openRepository({ dir: ours });
    const run = await repository.startRun({ runId: 'bench', root: join(folder, 'ours', 'run') });

    const bare: Laps[] = [];
    const whole: Laps[] = [];
    for (let round = rounds > 1 ? 0 : 1; round <= rounds; round += 1) {
      const oursFirst = round % 2 === 1;
      const early = oursFirst ? await attempt(run, { round, files }) : undefined;
      const byHand = bareAttempt(theirs, { round, files });
      const ours = early ?? (await attempt(run, { round, files }));
      // The first round fills caches.
      if (round === 0) continue;
      bare.push(byHand);
      whole.push(ours);
    }
    return report(bare, whole, files);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function report(bare: readonly Laps[], whole: readonly Laps[], files: number): Row[] {
  const pair = (what: string, of: (laps: Laps) => number): Row => {
    const [git, ours] = [median(bare.map(of)), median(whole.map(of))];
    return {
      bench: 'worktrees',
      name: what,
      value: ours,
      unit: 'ms',
      ratio: ours / git,
      note: `git ${git.toFixed(0)} ms, ${files} files`,
    };
  };
  return [
    pair('carve against worktree add', ({ carve }) => carve),
    pair('salvage against add and commit', ({ save }) => save),
    pair('integrate against merge', ({ merge }) => merge),
    pair('remove against worktree remove', ({ remove }) => remove),
    held(
      pair('carve and integrate', ({ carve, merge }) => carve + merge),
      LIMIT,
    ),
    held(
      pair('all of it', ({ carve, save, merge, remove }) => carve + save + merge + remove),
      LIMIT,
    ),
  ];
}

/** Which edits an attempt makes. */
interface Edits {
  readonly round: number;
  readonly files: number;
}

function bareAttempt(clone: string, edits: Edits): Laps {
  const path = join(clone, '../attempt');
  const { lap, times } = stopwatch();
  git(clone, 'worktree', 'add', '--quiet', '--detach', path, 'target');
  lap();
  edit(path, edits);
  git(path, 'add', '-A');
  git(path, 'commit', '--quiet', '-m', 'work');
  lap();
  const commit = git(path, 'rev-parse', 'HEAD');
  git(join(clone, '../target'), 'merge', '--quiet', '--no-ff', '-m', 'merge', commit);
  lap();
  git(clone, 'worktree', 'remove', path);
  lap();
  return times();
}

async function attempt(run: Run, edits: Edits): Promise<Laps> {
  const taskId = `task-${edits.round}`;
  const { lap, times } = stopwatch();
  const worktree = await run.carve({ taskId, attempt: 1 });
  lap();
  edit(worktree.path, edits);
  const saved = await run.salvage(worktree, 'work');
  lap();
  const [merge] = await run.integrate([{ taskId, commit: saved?.commit ?? '' }]);
  lap();
  const removal = await run.remove(worktree);
  lap();
  if (merge?.kind !== 'merged' || removal.kind !== 'removed' || saved?.changed.length !== EDITS)
    throw new Error('the attempt was not saved, merged and removed');
  return times();
}

function stopwatch(): { lap: () => void; times: () => Laps } {
  const laps: number[] = [];
  let last = performance.now();
  return {
    lap() {
      const now = performance.now();
      laps.push(now - last);
      last = now;
    },
    times() {
      const [carve = Number.NaN, save = Number.NaN, merge = Number.NaN, remove = Number.NaN] = laps;
      return { carve, save, merge, remove };
    },
  };
}

const nameOf = (file: number): string => `folder-${file % FOLDERS}/deep/file-${file}.txt`;

/** The same files each time: a few lines each, none like another. */
function repositoryAt(path: string, files: number): void {
  for (let folder = 0; folder < FOLDERS; folder += 1)
    mkdirSync(join(path, `folder-${folder}/deep`), { recursive: true });
  for (let file = 0; file < files; file += 1)
    writeFileSync(join(path, nameOf(file)), `file ${file}\n${'some text\n'.repeat(file % 100)}`);
  git(path, 'init', '--quiet', '--initial-branch=main');
  git(path, 'add', '.');
  git(path, 'commit', '--quiet', '-m', 'begin');
  git(path, 'repack', '-adq');
}

function edit(path: string, { round, files }: Edits): void {
  for (let at = 0; at < EDITS; at += 1)
    writeFileSync(join(path, nameOf((at * 1_999 + round) % files)), `changed in ${round}\n`);
}

const git = (dir: string, ...args: string[]): string =>
  execFileSync('git', ['-C', dir, '-c', 'user.name=b', '-c', 'user.email=b@localhost', ...args], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: '/nonexistent',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
    },
  }).trim();
