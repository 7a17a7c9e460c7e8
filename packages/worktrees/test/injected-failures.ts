import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { Run, Worktree } from '../src/index.ts';
import { collectWorktrees, openRepository } from '../src/index.ts';
import { clone, commitAll, git, gitOn, scratch, write } from './scratch.ts';

const PATH = process.env['PATH'] ?? '';

/** What goes wrong with one git command. `$real "$@"` is the command. */
const FAILURES = {
  'it fails': 'echo "fatal: injected" >&2; exit 128',
  'it hangs, and is ended': 'sleep 0.3; kill -9 $$',
  'the disk is full': 'echo "fatal: write error: No space left on device" >&2; exit 128',
  'the disk is full in the middle of a file': 'ulimit -f 0; $real "$@"',
  'it is killed on the way': '$real "$@" <&0 & p=$!; sleep 0.003; kill -9 $p; kill -9 $$',
  'it is killed when it is done': '$real "$@"; kill -9 $$',
  'it fails when it has said something': '$real "$@" | head -c 20; exit 128',
  'a lock is in the way':
    'if [ -n "$GIT_INDEX_FILE" ]; then l="$GIT_INDEX_FILE.lock"; else l="$heads.lock"; fi; : > "$l"; echo "$l" >> "$here/locks"; $real "$@"',
} as const;
type Failure = keyof typeof FAILURES;
const KINDS = Object.keys(FAILURES) as Failure[];

/** A git first on the PATH, also for those who start git later on, whose n-th call in a step goes wrong. */
function brokenGit(heads: string) {
  const bin = scratch();
  const real = PATH.split(':')
    .map((folder) => join(folder, 'git'))
    .find(existsSync);
  const put = (script: string) => {
    writeFileSync(join(bin, 'git'), script);
    chmodSync(join(bin, 'git'), 0o755);
  };
  const whole = `#!/bin/sh\nexec ${real} "$@"\n`;
  const script = (failure: Failure | undefined, nth: number) =>
    [
      '#!/bin/sh',
      `here=${bin}; heads=${heads}; real=${real}`,
      'echo x >> "$here/calls"',
      'n=0; while read -r x; do n=$((n + 1)); done < "$here/calls"',
      ...(failure === undefined
        ? []
        : [`if [ "$n" -eq ${nth} ]; then ${FAILURES[failure]}; exit; fi`]),
      'exec $real "$@"',
    ].join('\n');
  put(whole);
  process.env['PATH'] = `${bin}:${PATH}`;
  return {
    /** Does a step with it; resolves to how many calls there were. */
    async during(
      step: () => Promise<unknown>,
      failure: Failure | undefined,
      nth: number,
    ): Promise<number> {
      writeFileSync(join(bin, 'calls'), '');
      writeFileSync(join(bin, 'locks'), '');
      put(script(failure, nth));
      try {
        await step();
      } finally {
        put(whole);
      }
      for (const lock of readFileSync(join(bin, 'locks'), 'utf8').split('\n'))
        if (lock !== '') rmSync(lock, { force: true });
      return readFileSync(join(bin, 'calls'), 'utf8').length / 2;
    },
  };
}

/** A clone in use by a person and by another run, and what must not change of it. */
async function stage() {
  const home = scratch();
  const dir = clone(scratch(), { 'f.txt': 'base\n', 'sub/g.txt': 'base\n' });
  git(dir, 'worktree', 'add', '-q', '-b', 'mine', '../mine');
  write(join(dir, '../mine'), { 'f.txt': 'dirty of mine\n', 'new.txt': 'new of mine\n' });
  write(dir, { 'f.txt': 'staged\n' });
  git(dir, 'add', 'f.txt');
  write(dir, { 'f.txt': 'dirty\n', 'untracked.txt': 'untracked\n' });
  const repository = await openRepository({ dir });
  const other = await repository.startRun({ runId: 'other', root: join(home, 'other') });
  const foreign = await other.carve({ taskId: 'x', attempt: 1 });
  write(foreign.path, { 'f.txt': 'of another run\n' });
  const watched = [
    ...['.git/HEAD', '.git/index', '.git/config', '.git/refs/heads/main', '.git/refs/heads/mine'],
    ...['.git/refs/heads/atelier/other', 'f.txt', 'sub/g.txt', 'untracked.txt'],
    ...['../mine/.git', '../mine/f.txt', '../mine/new.txt', '.git/worktrees/mine/HEAD'],
  ].map((name) => join(dir, name));
  watched.push(join(foreign.path, 'f.txt'), join(foreign.gitDir, 'HEAD'));
  const bytes = () => watched.map((file) => `${file}: ${readFileSync(file, 'latin1')}`);
  const before = bytes();
  return { home, dir, repository, assertUntouched: () => expect(bytes()).toEqual(before) };
}

/** What a worker made: each file must be in the worktree or on a ref, each commit on a ref or a HEAD. */
interface Work {
  worktree: Worktree | undefined;
  readonly files: Map<string, string>;
  readonly commits: Set<string>;
}

function assertKept(dir: string, runId: string, { worktree, files, commits }: Work): void {
  if (!worktree) return;
  const missing = [...files].filter(([name, text]) => textAt(join(worktree.path, name)) !== text);
  if (missing.length > 0) {
    const refs = git(dir, 'for-each-ref', '--format=%(refname)', `refs/atelier/${runId}`)
      .split('\n')
      .filter((ref) => ref !== '');
    const blobs = blobsAt(
      dir,
      refs.flatMap((ref) => missing.map(([name]) => `${ref}:${name}`)),
    );
    for (const [name, text] of missing)
      expect(
        refs.map((ref) => blobs.get(`${ref}:${name}`)),
        `${name} is neither there nor saved`,
      ).toContain(text);
  }
  const head = textAt(join(worktree.gitDir, 'HEAD'))?.trim();
  const elsewhere = [...commits].filter((commit) => commit !== head);
  // No ref has what this lists. A commit that is not there at all is an error.
  if (elsewhere.length > 0)
    expect(git(dir, 'rev-list', ...elsewhere, '--not', '--glob=refs/*'), 'is lost').toBe('');
}

const textAt = (file: string): string | undefined =>
  existsSync(file) ? readFileSync(file, 'utf8') : undefined;

/** What is stored under these names; what is not there is left out. */
function blobsAt(dir: string, names: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  let rest = gitOn(dir, `${names.join('\n')}\n`, 'cat-file', '--batch');
  for (const name of names) {
    const [header = '', type, size] = /^\S+ (\w+) ?(\d+)?\n/.exec(rest) ?? [];
    if (type === 'missing') rest = rest.slice(header.length);
    else {
      const end = header.length + Number(size);
      found.set(name, rest.slice(header.length, end));
      rest = rest.slice(end + 1);
    }
  }
  return found;
}

/** Whatever goes wrong has a code. */
const coded = (deed: Promise<unknown>): Promise<unknown> =>
  deed.catch((error) => expect(error.code).toEqual(expect.any(String)));

const WAYS_OUT = ['remove', 'release', 'gc'] as const;

/** How often each step of an attempt goes wrong: two hundred times in all. */
export const SEEDS = {
  start: 16,
  carve: 24,
  salvage: 30,
  'salvage again': 30,
  integrate: 16,
  publish: 16,
  remove: 24,
  release: 24,
  gc: 24,
} as const;
export type Step = keyof typeof SEEDS;

interface Scenario {
  readonly runId: string;
  readonly broken: Step;
  readonly failure: Failure | undefined;
  readonly nth: number;
  /** The host starts anew after the step that went wrong. */
  readonly restarts: boolean;
  readonly wayOut: (typeof WAYS_OUT)[number];
}

type Stage = Awaited<ReturnType<typeof stage>>;

/** One attempt, one git command of which goes wrong. Resolves to how many commands that step had. */
async function live(at: Stage, scenario: Scenario): Promise<number> {
  const { dir, home, repository, assertUntouched } = at;
  const { runId, broken, failure, nth, restarts, wayOut } = scenario;
  const heads = join(dir, '.git/refs/heads/atelier', runId);
  const stub = brokenGit(heads);
  const work: Work = { worktree: undefined, files: new Map(), commits: new Set() };
  const attempt = { taskId: 't', attempt: 1 };
  let run: Run | undefined;
  let calls = 0;
  const begin = async () => {
    run = await repository.startRun({ runId, root: join(home, runId, 'run') });
  };
  const step = async (name: Step, deed: () => Promise<unknown>) => {
    const done = () => coded(deed());
    if (name !== broken) await done();
    else {
      calls = await stub.during(done, failure, nth);
      assertUntouched();
      assertKept(dir, runId, work);
      if (restarts) await begin();
    }
  };
  const edit = (name: string, text: string) => {
    if (!work.worktree) return;
    write(work.worktree.path, { [name]: text });
    work.files.set(name, text);
  };
  const salvage = async (): Promise<string> => {
    const saved = work.worktree && (await run?.salvage(work.worktree, 'Attempt 1 of task t'));
    if (saved) work.commits.add(saved.commit);
    return saved?.commit ?? '';
  };

  await step('start', begin);
  if (!run) {
    // A git that was killed leaves its lock, which is a person’s to remove.
    rmSync(`${heads}.lock`, { force: true });
    await begin();
  }
  await step('carve', async () => {
    work.worktree = await run?.carve(attempt);
  });
  work.worktree ??= await run?.carve(attempt);
  if (!work.worktree) throw new Error('nothing was carved');
  edit('committed.txt', 'committed\n');
  work.commits.add(commitAll(work.worktree.path, 'of the worker'));
  edit('f.txt', 'first\n');
  let commit = '';
  await step('salvage', async () => {
    commit = await salvage();
  });
  edit('f.txt', 'second\n');
  edit('deep/new.txt', 'new\n');
  await step('salvage again', async () => {
    commit = await salvage();
  });
  const offers = commit === '' ? [] : [{ taskId: 't', commit }];
  if (broken === 'integrate') await step('integrate', async () => run?.integrate(offers));
  if (broken === 'publish')
    await step('publish', async () => {
      const { onto, tip } = (await run?.propose(offers)) ?? {};
      if (onto !== undefined && tip !== undefined) await run?.publish({ from: onto, to: tip });
    });
  const ways = {
    remove: async () => work.worktree && run?.remove(work.worktree),
    release: async () => run?.release(attempt),
    gc: () =>
      collectWorktrees({
        repository,
        home: join(home, runId),
        isInUse: (id: string) => id !== runId,
      }).then(({ kept }) => expect(kept.every(({ why }) => why !== '')).toBe(true)),
  };
  // As if a file had been touched: what is removed then is compared by git once more.
  if (wayOut === broken) chmodSync(join(work.worktree.path, 'f.txt'), 0o644);
  await step(wayOut, ways[wayOut]);
  if (wayOut !== broken) assertKept(dir, runId, work);
  // And once more, with nothing in the way.
  await coded(ways.remove());
  assertKept(dir, runId, work);
  if (wayOut === 'gc') {
    await ways.gc();
    assertKept(dir, runId, work);
  }
  assertUntouched();
  return calls;
}

/** Takes one attempt after another through its life, each git command of the step going wrong in turn. */
export async function neverDestroys(broken: Step): Promise<void> {
  onTestFinished(() => {
    process.env['PATH'] = PATH;
  });
  const at = await stage();
  const wayOut = WAYS_OUT.find((way) => way === broken) ?? 'remove';
  const scenario = { broken, wayOut, failure: undefined, nth: 0, restarts: false };
  const calls = await live(at, { ...scenario, runId: 'whole' });
  expect(calls).toBeGreaterThan(0);
  for (let seed = 0; seed < SEEDS[broken]; seed += 1) {
    const failure = KINDS[seed % KINDS.length];
    // Both counters pass through all pairs in time.
    const nth = 1 + ((seed + Math.floor(seed / KINDS.length) * 3) % calls);
    const runId = `s${seed}`;
    try {
      await live(at, { ...scenario, runId, failure, nth, restarts: seed % 3 === 0 });
    } catch (error) {
      throw new Error(`seed ${seed}: call ${nth} of ${calls}, ${failure}`, { cause: error });
    }
  }
}
