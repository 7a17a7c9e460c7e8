import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openRepository, type Run } from '../src/index.ts';
import { clone, commit, git, scratch, situation, write } from './scratch.ts';

const HOOKS = [
  'applypatch-msg commit-msg fsmonitor-watchman post-applypatch post-checkout post-commit post-index-change post-merge',
  'post-rewrite post-update pre-applypatch pre-auto-gc pre-commit pre-merge-commit pre-push pre-rebase prepare-commit-msg',
  'push-to-checkout reference-transaction sendemail-validate update',
].flatMap((line) => line.split(' '));

/** Drivers and programs of every kind, each of which leaves a file of its name in `marks`. */
function trap(dir: string, marks: string): void {
  const mark = (name: string, then = 'cat') => `sh -c 'touch ${marks}/${name}; ${then}'`;
  const config: Record<string, string> = {
    'core.fsmonitor': mark('fsmonitor'),
    'core.hooksPath': '.husky',
    'core.sshCommand': mark('ssh'),
    'core.pager': mark('pager'),
    'core.editor': mark('editor'),
    'core.askPass': mark('askpass'),
    'core.alternateRefsCommand': mark('alternate-refs'),
    'core.untrackedCache': 'true',
    'core.splitIndex': 'true',
    'diff.external': mark('diff-external'),
    'credential.helper': `!${mark('credential')}`,
    'gpg.program': mark('gpg'),
    'commit.gpgSign': 'true',
    'merge.default': 'trap',
    'merge.trap.driver': mark('merge', 'true'),
    'diff.trap.textconv': mark('textconv'),
    'diff.trap.command': mark('diff-command'),
    'filter.trap.clean': mark('clean'),
    'filter.trap.smudge': mark('smudge'),
    'filter.trap.required': 'true',
    'filter.piped.process': mark('process'),
    'uploadpack.packObjectsHook': mark('pack-objects'),
  };
  for (const command of ['status', 'add', 'commit', 'update-ref', 'merge-tree', 'worktree'])
    config[`alias.${command}`] = `!${mark('alias')}`;
  for (const [key, value] of Object.entries(config)) git(dir, 'config', key, value);
  hooks(join(dir, '.git/hooks'), marks);
}

function hooks(folder: string, marks: string): void {
  mkdirSync(folder, { recursive: true });
  for (const hook of HOOKS) {
    writeFileSync(join(folder, hook), `#!/bin/sh\ntouch ${marks}/hook-${hook}\n`);
    chmodSync(join(folder, hook), 0o755);
  }
}

const ATTRIBUTES = '* filter=trap diff=trap merge=trap\n*.piped filter=piped\n';

const start = async (dir: string): Promise<Run> =>
  (await openRepository({ dir, allowFilters: ['trap', 'piped'] })).startRun({
    runId: 'r1',
    root: join(scratch(), 'run'),
  });

async function wholeRun(run: Run, tamper: (path: string) => void): Promise<void> {
  const offers = [];
  for (const taskId of ['a', 'b', 'c']) {
    const worktree = await run.carve({ taskId, attempt: 1 });
    write(worktree.path, {
      'f.txt': `${taskId === 'c' ? 'conflict' : ''}\nbase\n`,
      'x.piped': taskId,
      [`${taskId}.txt`]: 'new\n',
    });
    tamper(worktree.path);
    const saved = await run.salvage(worktree, taskId);
    await run.salvage(worktree, taskId);
    await run.remove(worktree);
    offers.push({ taskId, commit: saved?.commit ?? '' });
  }
  const merges = await run.integrate(offers);
  expect(merges.map(({ kind }) => kind)).toContain('merged');
  expect(merges.map(({ kind }) => kind)).toContain('conflict');
}

it('the traps of these tests do snap for a plain git', () => {
  const dir = clone();
  const marks = scratch();
  commit(dir, { '.gitattributes': ATTRIBUTES });
  trap(dir, marks);
  hooks(join(dir, '.husky'), marks);
  write(dir, { 'f.txt': 'x\n' });
  git(dir, '-c', 'commit.gpgSign=false', 'commit', '-qam', 'x');
  git(dir, '-c', 'core.fsmonitor=false', 'worktree', 'add', '-q', '--detach', '../wt');
  expect(readdirSync(marks)).toEqual(
    expect.arrayContaining([
      'clean',
      'fsmonitor',
      'hook-post-checkout',
      'hook-pre-commit',
      'smudge',
    ]),
  );
});

it('O-42: no driver, hook or program of the clone’s config runs, whatever attributes are committed', async () => {
  const dir = clone(scratch(), { 'f.txt': 'base\n', 'x.piped': 'base\n' });
  const marks = scratch();
  commit(dir, { '.gitattributes': ATTRIBUTES });
  hooks(join(dir, '.husky'), marks);
  commit(dir, {});
  trap(dir, marks);
  await wholeRun(await start(dir), (path) => hooks(join(path, '.husky'), marks));
  expect(readdirSync(marks)).toEqual([]);
}, 120_000);

it('O-42: nor when the worker plants the attributes, a config, hooks and repositories', async () => {
  const dir = clone(scratch(), { 'f.txt': 'base\n', 'sub/f.txt': 'base\n' });
  const marks = scratch();
  trap(dir, marks);
  await wholeRun(await start(dir), (path) => {
    write(path, { '.gitattributes': ATTRIBUTES, 'sub/.gitattributes': ATTRIBUTES });
    write(path, {
      '.gitmodules': `[submodule "s"]\n\tpath = s\n\turl = ext::sh -c touch% ${marks}/ext\n\tupdate = !touch ${marks}/update\n`,
    });
    for (const nested of ['s', 'sub']) {
      git(path, 'init', '-q', '--template=', nested);
      commit(join(path, nested), { 'f.txt': 'a repository now\n' });
      trap(join(path, nested), marks);
    }
    rmSync(join(path, '.git'));
    git(path, 'init', '-q', '--template=');
    trap(path, marks);
  });
  expect(readdirSync(marks)).toEqual([]);
}, 120_000);

it('O-42: nor for a submodule whose folder the worker made a repository', async () => {
  const inner = clone();
  const dir = clone();
  const marks = scratch();
  git(dir, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 's');
  git(dir, 'commit', '-qm', 'submodule');
  // Without its module there is nothing to fill it with.
  rmSync(join(dir, '.git/modules'), { recursive: true });
  const run = await start(dir);
  const worktree = await run.carve({ taskId: 1, attempt: 1 });
  git(worktree.path, 'clone', '-q', inner, 's');
  trap(join(worktree.path, 's'), marks);
  write(worktree.path, { 's/f.txt': 'changed\n', 's/.gitattributes': ATTRIBUTES });
  expect(await run.salvage(worktree, 'm')).toBeUndefined();
  expect(await run.saved({ taskId: 1, attempt: 1 })).toMatchObject({ nested: ['s'] });
  expect(await run.remove(worktree)).toMatchObject({ kind: 'kept' });
  expect(readdirSync(marks)).toEqual([]);
});

it('O-42: the case itself, in a worktree of the product', async () => {
  const folder = scratch();
  const mark = join(folder, 'MARK');
  const dir = situation('O-42-hostile-git-config.sh', folder, { MARK: mark });
  rmSync(mark, { force: true });
  await wholeRun(await start(dir), (path) => write(path, { '.gitattributes': '*.txt filter=x\n' }));
  expect(existsSync(mark)).toBe(false);
});

it('O-42: a git that lies in a worktree is not run, wherever a relative PATH leads', async () => {
  const marks = scratch();
  const planted = `#!/bin/sh\ntouch ${marks}/planted\n`;
  const dir = clone(scratch(), { 'f.txt': 'base\n' });
  write(dir, { 'node_modules/.bin/git': planted });
  chmodSync(join(dir, 'node_modules/.bin/git'), 0o755);
  commit(dir, {});
  const path = process.env['PATH'];
  process.env['PATH'] = `./node_modules/.bin::node_modules/.bin:${path}`;
  try {
    await wholeRun(await start(dir), (at) =>
      expect(existsSync(join(at, 'node_modules/.bin/git'))).toBe(true),
    );
  } finally {
    process.env['PATH'] = path;
  }
  expect(readdirSync(marks)).toEqual([]);
}, 120_000);

it('O-42: a pointer that leads to a git dir of the worker is not followed', async () => {
  const dir = clone();
  const marks = scratch();
  const run = await start(dir);
  const worktree = await run.carve({ taskId: 1, attempt: 1 });
  const evil = join(worktree.path, 'evil');
  git(worktree.path, 'init', '-q', '--template=', 'evil');
  trap(evil, marks);
  write(worktree.path, {
    '.git': `gitdir: ${evil}/.git\n`,
    'f.txt': 'changed\n',
    '.gitattributes': ATTRIBUTES,
  });
  const saved = await run.salvage(worktree, 'm');
  expect(saved?.changed.map(({ path }) => path)).toEqual(['.gitattributes', 'f.txt']);
  expect(git(dir, 'merge-base', run.base, saved?.commit ?? '')).toBe(run.base);
  expect(readdirSync(marks)).toEqual([]);
});
