import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { confinedShell } from '@atelier/cli-transport';
import type { AcceptedWork, Task } from '@atelier/engine';
import { bubblewrap } from '@atelier/sandbox';
import { describe, expect, it } from 'vitest';
import { type AcceptanceOptions, acceptance, type GateNote, type Shell } from '../src/index.ts';
import { acceptedWork, journal, orderOf, replyOf, verdictOf, WAVE } from './attempts.ts';
import { attempt, git, type Started, start, write } from './repository.ts';
import { summary } from './wave.ts';

const wrap = bubblewrap();
await wrap.selfTest();

const shellFor = ({ folder }: Started): Shell =>
  confinedShell({ confinement: { kind: 'sandboxed', wrap }, runDir: join(folder, 'state') });

const checksOf = (started: Started, options: Partial<AcceptanceOptions> = {}) =>
  acceptance({
    workspace: started.run,
    shell: shellFor(started),
    commandMs: 30_000,
    ...options,
  });

const accept = (started: Started, task: Task, artifacts?: readonly string[]) =>
  checksOf(started).accept(orderOf(task), replyOf(task, artifacts), journal());

describe('over real git', () => {
  it('B-03: new folders, odd names, both sides of a rename and modes count as what they are', async () => {
    const started = await start({ 'old name.txt': 'text\n', 'src/a.ts': 'a\n' });
    const task = {
      id: 'T-1',
      writes: ['nd/', 'naïve file.py', './old name.txt', 'new name.txt'],
      must_produce: ['nd/deep/x.py', 'naïve file.py', './new name.txt'],
    };
    await attempt(started, 'T-1', (path) => {
      write(path, { 'nd/deep/x.py': 'x\n', 'naïve file.py': '' });
      renameSync(join(path, 'old name.txt'), join(path, 'new name.txt'));
    });
    expect(await accept(started, task)).toMatchObject({
      kind: 'accepted',
      evidence: {
        base: started.run.base,
        changed: 4,
        products: [
          {
            path: 'nd/deep/x.py',
            sha256: createHash('sha256').update('x\n').digest('hex'),
            bytes: 2,
          },
          { path: 'naïve file.py', bytes: 0 },
          { path: 'new name.txt' },
        ].sort((a, b) => (a.path < b.path ? -1 : 1)),
        conflicts: [],
      },
    });
    expect(
      verdictOf(await accept(started, { ...task, writes: ['new name.txt', 'n*/**', '*.py'] })),
    ).toBe('write-scope: changed outside of its writes: old name.txt (undeclared)');
  });

  it('B-03: what the worker committed itself is its work', async () => {
    const started = await start({ 'src/a.ts': 'a\n' });
    await attempt(started, 'T-1', (path) => {
      write(path, { 'src/b.ts': 'b\n' });
      git(path, 'add', '-A');
      git(path, 'commit', '-qm', 'mine');
      write(path, { 'src/c.ts': 'c\n' });
    });
    const task = { id: 'T-1', writes: ['src/'], must_produce: ['src/b.ts', 'src/c.ts'] };
    expect(await accept(started, task)).toMatchObject({ evidence: { changed: 2 } });
  });

  it('B-03: an ignored output that has to be produced is', async () => {
    const started = await start({ '.gitignore': 'out/\n' });
    const task = { id: 'T-1', writes: ['out/'], must_produce: ['out/y'] };
    await attempt(started, 'T-1', (path) => write(path, { 'out/y': 'y', 'out/z': 'z' }), ['out/y']);
    expect(await accept(started, task)).toMatchObject({
      evidence: { files: [{ path: 'out/y', status: 'added' }] },
    });
    await attempt(started, 'T-2', (path) => write(path, { 'out/z': 'z' }));
    expect(verdictOf(await accept(started, { id: 'T-2', writes: ['out/'] }))).toMatch(
      /^false-done: .*git ignores out\//,
    );
  });

  it('O-27: done with no work is a failed attempt, and the base is nobody’s result', async () => {
    const started = await start({ 'src/a.ts': 'a\n' });
    await attempt(started, 'T-1', () => undefined);
    const verdict = await accept(started, { id: 'T-1' }, ['src/never-written.ts']);
    expect(verdictOf(verdict)).toBe('false-done: the reply says done, but no file was changed');
    expect(JSON.stringify(verdict)).not.toContain(started.run.base);
  });

  it('B-10: undeclared edits and repositories of the worker’s own are named', async () => {
    const started = await start({ 'src/a.ts': 'a\n', 'other.txt': 'o\n' });
    await attempt(started, 'T-1', (path) =>
      write(path, { 'src/a.ts': 'A\n', 'other.txt': 'x\n', 'undeclared.txt': 'x\n' }),
    );
    expect(verdictOf(await accept(started, { id: 'T-1', writes: ['src'] }))).toBe(
      'write-scope: changed outside of its writes: other.txt (undeclared), undeclared.txt (undeclared)',
    );
    await attempt(started, 'T-2', (path) => {
      mkdirSync(join(path, 'vendor'));
      git(join(path, 'vendor'), 'init', '-q');
      write(path, { 'vendor/x': 'x' });
    });
    expect(verdictOf(await accept(started, { id: 'T-2' }))).toMatch(
      /^acceptance: .*repositories inside the repository \(vendor\/?\)$/,
    );
  });
});

describe('verify, behind real walls', () => {
  it('passes on the saved work in a folder of its own; what it leaves behind is nowhere', async () => {
    const started = await start({ 'a.txt': 'a\n' });
    const { commit, path } = await attempt(started, 'T-1', (dir) => write(dir, { 'b.txt': 'b\n' }));
    const task = { id: 'T-1', verify: 'test "$(cat b.txt)" = b && echo built > build.out' };
    expect(await accept(started, task)).toMatchObject({ evidence: { commit, changed: 1 } });
    expect(existsSync(join(path, 'build.out'))).toBe(false);
    expect(git(started.clone, 'worktree', 'list', '--porcelain')).not.toContain('/scratch');
    expect(git(started.clone, 'ls-tree', '--name-only', commit ?? '').split('\n')).toEqual([
      'a.txt',
      'b.txt',
    ]);
  });

  it('does not see a helper that git ignores: only what is merged can prove anything', async () => {
    const started = await start({ '.gitignore': 'helper.sh\n' });
    const { path } = await attempt(started, 'T-1', (dir) =>
      write(dir, { 'b.txt': 'b\n', 'helper.sh': 'exit 0\n' }),
    );
    expect(existsSync(join(path, 'helper.sh'))).toBe(true);
    const task = { id: 'T-1', verify: 'sh ./helper.sh' };
    expect(await accept(started, task)).toMatchObject({
      cause: 'verify',
      findings: expect.stringContaining('helper.sh'),
    });
  });

  it('work with which the set-up fails is refused', async () => {
    const started = await start({ 'lock.txt': 'ok' }, async (place) => {
      if (readFileSync(join(place.path, 'lock.txt'), 'utf8') !== 'ok')
        throw new Error('the lock does not fit');
    });
    await attempt(started, 'T-1', (dir) => write(dir, { 'lock.txt': 'bad' }));
    expect(await accept(started, { id: 'T-1', verify: 'true' })).toEqual({
      kind: 'refused',
      cause: 'verify',
      detail: 'verify exited with 126',
      findings: 'the lock does not fit',
    });
    expect(git(started.clone, 'worktree', 'list', '--porcelain')).not.toContain('/scratch');
  });

  it('fails with the end of its output, and what it writes elsewhere is not there', async () => {
    const started = await start({ 'a.txt': 'a\n' });
    await attempt(started, 'T-1', (dir) => write(dir, { 'b.txt': 'b\n' }));
    const outside = join(started.clone, 'planted');
    // What the walls let it write there goes with them.
    const verify = `echo x > '${outside}' 2>&-; echo "1 test failed" >&2; exit 3`;
    expect(await accept(started, { id: 'T-1', verify })).toEqual({
      kind: 'refused',
      cause: 'verify',
      detail: 'verify exited with 3',
      findings: '1 test failed',
    });
    expect(existsSync(outside)).toBe(false);
  });

  it('is ended when it takes too long', async () => {
    const started = await start({ 'a.txt': 'a\n' });
    await attempt(started, 'T-1', (dir) => write(dir, { 'b.txt': 'b\n' }));
    const task = { id: 'T-1', verify: 'echo begun; sleep 600' };
    const checks = checksOf(started, { commandMs: 1500 });
    expect(await checks.accept(orderOf(task), replyOf(task), journal())).toMatchObject({
      detail: 'verify timed out after 1.5 s',
      findings: 'begun',
    });
  });
});

describe('a wave of six in which two are green alone and red together', {
  timeout: 240_000,
}, () => {
  const IDS = ['a', 'b', 'c', 'd', 'e', 'f'];
  const GATE = 'sh gate.sh';
  const FILES = {
    'gate.sh':
      'echo dropping > dropping.out\ntest ! -e b.txt || test ! -e e.txt || { echo "b and e do not go together"; exit 1; }\n',
  };

  it('the culprit is named with the output, and the rest is merged', async () => {
    const started = await start(FILES);
    const notes: GateNote[] = [];
    const checks = checksOf(started, { gate: GATE, onGate: (note) => notes.push(note) });
    const accepted: AcceptedWork[] = [];
    for (const id of IDS) {
      // Each of them passes the very same command alone.
      const task: Task = { id, writes: [`${id}.txt`], verify: GATE };
      await attempt(started, id, (path) => write(path, { [`${id}.txt`]: `${id}\n` }));
      const verdict = await checks.accept(orderOf(task), replyOf(task), journal(accepted));
      if (verdict.kind !== 'accepted') throw new Error(verdictOf(verdict));
      accepted.push(acceptedWork(task, verdict.evidence));
    }
    const results = (await checks.integrate?.(WAVE, accepted, journal())) ?? [];
    expect(summary(results)).toEqual([
      'merged a',
      'merged b',
      'merged c',
      'merged d',
      'wave-gate e',
      'merged f',
    ]);
    expect(results[4]).toMatchObject({
      detail: 'the gate is red with its changes: exited with 1',
      findings: 'b and e do not go together',
    });

    const { clone, run } = started;
    const log = git(clone, 'log', '--first-parent', '--reverse', '--format=%s', run.branch);
    expect(log.split('\n')).toEqual(['base', ...[...'abcdf'].map((id) => `Merge task ${id}`)]);
    expect(git(clone, 'ls-tree', '--name-only', run.branch).split('\n')).toEqual([
      'a.txt',
      'b.txt',
      'c.txt',
      'd.txt',
      'f.txt',
      'gate.sh',
    ]);
    const merges = results.map((one) => (one.kind === 'merged' ? Object(one.evidence).merge : ''));
    expect(merges.at(-1)).toBe(await run.tip());
    expect(notes.at(-1)).toMatchObject({ commit: await run.tip(), green: true });

    // The gate passes on the branch as it is now, and no checkout of it is left.
    const last = await run.checkout(await run.tip());
    const shell = shellFor(started);
    expect(await shell({ command: GATE, worktree: last.path, timeoutMs: 30_000 })).toMatchObject({
      kind: 'exited',
      exitCode: 0,
    });
    await last.dispose();
    const folders = readdirSync(join(started.folder, 'run', 'wt'));
    const scratches = folders.filter((name) => name.startsWith('scratch'));
    expect(
      scratches.flatMap((name) => readdirSync(join(started.folder, 'run', 'wt', name))),
    ).toEqual([]);
    // The person’s branch and files did not move.
    expect(git(clone, 'rev-parse', 'HEAD')).toBe(run.base);
    expect(git(clone, 'status', '--porcelain')).toBe('');
  });

  it('a red base is nobody’s fault: nothing moves', async () => {
    const started = await start({ 'gate.sh': 'echo broken for long; exit 1\n' });
    const { commit = '' } = await attempt(started, 'a', (path) => write(path, { 'a.txt': 'a' }));
    const checks = checksOf(started, { gate: GATE });
    const accepted = [acceptedWork({ id: 'a' }, { commit })];
    await expect(checks.integrate?.(WAVE, accepted, journal())).rejects.toMatchObject({
      code: 'BASE_RED',
      message: expect.stringMatching(/: broken for long$/),
    });
    expect(await started.run.tip()).toBe(started.run.base);
  });

  it('stopped in the middle of the gate: nothing moves, and nothing is left running or lying about', async () => {
    const started = await start({ 'gate.sh': 'sleep 600\n' });
    const { commit = '' } = await attempt(started, 'a', (path) => write(path, { 'a.txt': 'a' }));
    const checks = checksOf(started, { gate: GATE });
    const stop = new AbortController();
    const accepted = [acceptedWork({ id: 'a' }, { commit })];
    const integrating = checks.integrate?.(WAVE, accepted, { ...journal(), signal: stop.signal });
    setTimeout(() => stop.abort(), 300);
    await expect(integrating).rejects.toMatchObject({ name: 'AbortError' });
    expect(await started.run.tip()).toBe(started.run.base);
    expect(git(started.clone, 'worktree', 'list', '--porcelain')).not.toContain('/scratch');
  });
});
