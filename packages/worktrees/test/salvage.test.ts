import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Run, Worktree } from '../src/index.ts';
import {
  clone,
  codeFrom,
  commit,
  git,
  scratch,
  seenBy,
  situation,
  start,
  write,
} from './scratch.ts';

const T1 = { taskId: 'T-1', attempt: 1 };

async function carved(dir: string): Promise<{ run: Run; worktree: Worktree; warnings: string[] }> {
  const { run, warnings } = await start(dir);
  return { run, worktree: await run.carve(T1), warnings };
}

it('saves every kind of change, on a ref of its own, as the product', async () => {
  const dir = clone(scratch(), {
    'f.txt': 'base\n',
    'gone.txt': 'x',
    'tool.sh': 'x',
    'was/file': 'x',
    old: 'x',
  });
  write(dir, { 'f.txt': 'a person’s edit\n' });
  const before = seenBy(dir);
  const { run, worktree } = await carved(dir);
  const { path } = worktree;
  write(path, { 'f.txt': 'changed\n', 'new folder/deep/n.txt': 'n', empty: '' });
  rmSync(join(path, 'gone.txt'));
  chmodSync(join(path, 'tool.sh'), 0o755);
  rmSync(join(path, 'was'), { recursive: true });
  writeFileSync(join(path, 'was'), 'now a file');
  rmSync(join(path, 'old'));
  write(path, { 'old/inside': 'now a folder' });
  symlinkSync('/etc/hostname', join(path, 'link'));
  const saved = await run.salvage(worktree, 'Attempt 1');
  expect(saved?.changed).toEqual([
    { path: 'empty', status: 'added' },
    { path: 'f.txt', status: 'modified' },
    { path: 'gone.txt', status: 'deleted' },
    { path: 'link', status: 'added' },
    { path: 'new folder/deep/n.txt', status: 'added' },
    { path: 'old', status: 'deleted' },
    { path: 'old/inside', status: 'added' },
    { path: 'tool.sh', status: 'modified' },
    { path: 'was', status: 'added' },
    { path: 'was/file', status: 'deleted' },
  ]);
  const sha = saved?.commit ?? '';
  expect(git(dir, 'rev-parse', saved?.ref ?? '')).toBe(sha);
  expect(git(dir, 'log', '-1', '--format=%an <%ae> %cn %s %P', sha)).toBe(
    `atelier <atelier@localhost> atelier Attempt 1 ${worktree.base}`,
  );
  expect(git(dir, 'ls-tree', sha, 'tool.sh', 'link').replace(/[0-9a-f]{40}/g, '')).toBe(
    '120000 blob \tlink\n100755 blob \ttool.sh',
  );
  expect(git(dir, 'show', `${sha}:link`)).toBe('/etc/hostname');
  expect(git(dir, 'fsck', '--no-dangling')).toBe('');
  expect(git(dir, 'config', '--list')).not.toContain('user.');
  expect(seenBy(dir)).toBe(before);
});

it('O-27: nothing changed is nothing saved: no commit, no ref', async () => {
  const dir = clone(scratch(), { 'f.txt': 'base\n', '.gitignore': 'out/\n' });
  const { run, worktree } = await carved(dir);
  write(worktree.path, { 'f.txt': 'base\n', 'out/ignored.txt': 'x' });
  expect(await run.salvage(worktree, 'm')).toBeUndefined();
  expect(git(dir, 'for-each-ref', 'refs/atelier')).toBe('');
  expect(await run.saved(T1)).toMatchObject({ changed: 0 });
  expect((await run.saved(T1))?.commit).toBeUndefined();
  expect(await run.remove(worktree)).toEqual({ kind: 'removed' });
});

it('sees a change of the same size in the moment after the carve', async () => {
  const dir = clone();
  const { run } = await start(dir);
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    const worktree = await run.carve({ taskId: 1, attempt });
    writeFileSync(join(worktree.path, 'f.txt'), 'BASE\n');
    expect((await run.salvage(worktree, 'm'))?.changed).toHaveLength(1);
  }
});

it('keeps odd names whole: spaces, line breaks, quotes, dashes, bytes that are not UTF-8', async () => {
  const dir = clone();
  const { run, worktree } = await carved(dir);
  const names = [
    'a b',
    'line\nbreak',
    'tab\there',
    '"quoted"',
    '--force',
    '-n',
    'ünï',
    ':(top)x',
    '*',
    '\u001b[2J',
    'back\\slash',
  ];
  for (const name of names) writeFileSync(join(worktree.path, name), name);
  const bytes = Buffer.from([0x66, 0xff, 0xfe, 0x6f]);
  writeFileSync(Buffer.concat([Buffer.from(`${worktree.path}/`), bytes]), 'bytes');
  const saved = await run.salvage(worktree, 'm');
  expect(new Set(saved?.changed.map(({ path }) => path))).toEqual(
    new Set([...names.filter((name) => name !== 'back\\slash'), 'f\ufffd\ufffdo', 'back\\slash']),
  );
  const listed = execFileSync('git', ['ls-tree', '-z', '--name-only', saved?.commit ?? ''], {
    cwd: dir,
  });
  expect(listed.includes(bytes)).toBe(true);
  const again = await run.carve({ taskId: 'T-2', attempt: 1 });
  await run.integrate([{ taskId: 'T-1', commit: saved?.commit ?? '' }]);
  const next = await run.carve({ taskId: 'T-2', attempt: 2 });
  expect(readdirSync(next.path, 'buffer').some((name) => name.equals(bytes))).toBe(true);
  expect(readdirSync(again.path)).toHaveLength(2);
});

it('O-41: what a sandbox leaves of its masks is neither work nor committed', async () => {
  const dir = situation('O-41-placeholder.sh');
  const { run, worktree } = await carved(dir);
  for (const name of ['.bashrc', '.gitconfig', '.mcp.json']) {
    copyFileSync(join(dir, '../wt-T-1', name), join(worktree.path, name));
    chmodSync(join(worktree.path, name), 0o444);
  }
  expect(await run.salvage(worktree, 'm')).toBeUndefined();
  write(worktree.path, { 'f.txt': 'work\n', empty: '', 'pkg/__init__.py': '' });
  chmodSync(join(worktree.path, 'pkg/__init__.py'), 0o444);
  const saved = await run.salvage(worktree, 'm');
  expect(saved?.changed.map(({ path }) => path)).toEqual(['empty', 'f.txt', 'pkg/__init__.py']);
  expect(await run.remove(worktree)).toEqual({ kind: 'removed' });
  expect(existsSync(join(dir, '../wt-T-1/.bashrc'))).toBe(true);
});

it('keeps the worker’s own commits as ancestors', async () => {
  const dir = clone();
  const { run, worktree } = await carved(dir);
  const own = commit(worktree.path, { 'own.txt': '1' }, 'by the worker');
  write(worktree.path, { 'late.txt': '2' });
  const saved = await run.salvage(worktree, 'm');
  expect(git(dir, 'rev-parse', `${saved?.commit}^`)).toBe(own);
  expect(saved?.changed.map(({ path }) => path)).toEqual(['late.txt', 'own.txt']);
});

it('takes the worker’s commit itself when there is nothing beside it', async () => {
  const dir = clone();
  const { run, worktree } = await carved(dir);
  const own = commit(worktree.path, { 'own.txt': '1' });
  expect(await run.salvage(worktree, 'm')).toMatchObject({ commit: own, base: worktree.base });
});

it('keeps a history that the worker rewrote, and still starts from the base', async () => {
  const dir = clone();
  commit(dir, { second: '2' });
  const { run, worktree } = await carved(dir);
  git(worktree.path, 'checkout', '-q', '--orphan', 'elsewhere');
  const own = commit(worktree.path, { 'own.txt': '1' });
  const saved = await run.salvage(worktree, 'm');
  for (const ancestor of [own, worktree.base])
    git(dir, 'merge-base', '--is-ancestor', ancestor, saved?.commit ?? '');
  expect(saved?.changed).toEqual([{ path: 'own.txt', status: 'added' }]);
  expect(git(dir, 'rev-parse', 'elsewhere')).toBe(own);
});

it('salvages again on top of what it saved before', async () => {
  const dir = clone();
  const { run, worktree } = await carved(dir);
  write(worktree.path, { 'a.txt': '1' });
  const first = await run.salvage(worktree, 'm');
  write(worktree.path, { 'b.txt': '2' });
  const second = await run.salvage(worktree, 'm');
  expect(git(dir, 'rev-parse', `${second?.commit}^`)).toBe(first?.commit);
  expect(second?.changed).toHaveLength(2);
  expect(await run.salvage(worktree, 'm')).toEqual(second);
});

it('needs neither the worktree’s index nor its pointer', async () => {
  const dir = clone();
  const { run, worktree } = await carved(dir);
  write(worktree.path, { 'f.txt': 'changed\n' });
  writeFileSync(join(worktree.gitDir, 'index'), 'not an index');
  writeFileSync(join(worktree.gitDir, 'index.lock'), '');
  writeFileSync(join(worktree.gitDir, 'HEAD'), 'ref: refs/heads/../../x\n');
  rmSync(join(worktree.path, '.git'));
  expect((await run.salvage(worktree, 'm'))?.changed).toHaveLength(1);
  expect(await run.remove(worktree)).toEqual({ kind: 'removed' });
  expect(existsSync(worktree.path) || existsSync(worktree.gitDir)).toBe(false);
});

it('saves the files of a repository that the worker made, never as a link, and keeps its history in place', async () => {
  const dir = clone();
  const { run, worktree } = await carved(dir);
  git(worktree.path, 'init', '-q', 'app');
  commit(join(worktree.path, 'app'), { 'src/main.js': '1', '.gitignore': 'junk\n' });
  write(worktree.path, { 'app/junk': 'x', 'app/late.js': '2' });
  git(join(worktree.path, 'app'), 'init', '-q', 'deeper');
  write(worktree.path, { 'app/deeper/d': 'x' });
  const saved = await run.salvage(worktree, 'm');
  expect(saved?.nested).toEqual(['app', 'app/deeper']);
  expect(saved?.changed.map(({ path }) => path)).toEqual([
    'app/.gitignore',
    'app/deeper/d',
    'app/late.js',
    'app/src/main.js',
  ]);
  expect(git(dir, 'ls-tree', '-r', saved?.commit ?? '')).not.toContain('160000');
  expect(await run.remove(worktree)).toMatchObject({
    kind: 'kept',
    why: expect.stringContaining('app'),
  });
  expect(existsSync(join(worktree.path, 'app/.git'))).toBe(true);
});

it.each(['born', 'unborn'])(
  'a tracked file that became a repository (%s) is deleted, not linked',
  async (kind) => {
    const dir = clone();
    const { run, worktree } = await carved(dir);
    rmSync(join(worktree.path, 'f.txt'));
    git(worktree.path, 'init', '-q', 'f.txt');
    write(worktree.path, { 'f.txt/x': '1' });
    if (kind === 'born') commit(join(worktree.path, 'f.txt'), {});
    const saved = await run.salvage(worktree, 'm');
    expect(saved?.changed).toEqual([
      { path: 'f.txt', status: 'deleted' },
      { path: 'f.txt/x', status: 'added' },
    ]);
    expect(saved?.nested).toEqual(['f.txt']);
  },
);

it('does not look behind a link that took a folder’s place', async () => {
  const dir = clone(scratch(), { 'sub/f.txt': 'inside\n' });
  const outside = scratch();
  write(outside, { 'f.txt': 'outside\n' });
  const { run, worktree } = await carved(dir);
  rmSync(join(worktree.path, 'sub'), { recursive: true });
  symlinkSync(outside, join(worktree.path, 'sub'));
  const saved = await run.salvage(worktree, 'm');
  expect(saved?.changed).toEqual([
    { path: 'sub', status: 'added' },
    { path: 'sub/f.txt', status: 'deleted' },
  ]);
  expect(await run.remove(worktree)).toEqual({ kind: 'removed' });
  expect(existsSync(join(outside, 'f.txt'))).toBe(true);
});

it('names what git does not take into a tree, saves the rest, and keeps the worktree', async () => {
  const dir = clone();
  const { run, worktree } = await carved(dir);
  write(worktree.path, { '.GIT/config': 'x', 'good.txt': 'x', 'zzz.txt': 'x' });
  symlinkSync('elsewhere', join(worktree.path, '.gitmodules'));
  const server = createServer().listen(join(worktree.path, 'socket'));
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const saved = await run.salvage(worktree, 'm');
  expect(saved?.changed.map(({ path }) => path)).toEqual(['good.txt', 'zzz.txt']);
  expect([...(saved?.refused ?? [])].sort()).toEqual(['.GIT/config', '.gitmodules']);
  expect(await run.remove(worktree)).toMatchObject({ kind: 'kept' });
});

it('an attribute that can not be obeyed does not keep work from being saved', async () => {
  const dir = clone();
  const { run, worktree } = await carved(dir);
  write(worktree.path, {
    '.gitattributes': '* working-tree-encoding=UTF-16\n',
    'a.txt': 'odd',
    'b/c.txt': 'x',
  });
  const saved = await run.salvage(worktree, 'm');
  expect(saved?.changed.map(({ path }) => path)).toEqual(['.gitattributes', 'a.txt', 'b/c.txt']);
  expect(saved?.refused).toEqual([]);
  expect(git(dir, 'show', `${saved?.commit}:a.txt`)).toBe('odd');
});

it('stores the bytes that were seen, whatever encoding a hidden attribute asks for', async () => {
  const dir = clone(scratch(), { 'f.txt': 'base\n', '.gitignore': '.gitattributes\n' });
  const { run, worktree } = await carved(dir);
  const text = 'run("+AGEAYgBj-");';
  write(worktree.path, { 'a.js': text, '.gitattributes': 'a.js working-tree-encoding=UTF-7\n' });
  const saved = await run.salvage(worktree, 'm');
  expect(saved?.changed).toEqual([{ path: 'a.js', status: 'added' }]);
  expect(git(dir, 'cat-file', 'blob', `${saved?.commit}:a.js`)).toBe(text);
});

it('stores line ends as the repository asks', async () => {
  const dir = clone(scratch(), { '.gitattributes': '*.txt text eol=crlf\n', 'f.txt': 'a\nb\n' });
  const { run, worktree } = await carved(dir);
  write(worktree.path, { 'f.txt': 'a\r\nb\r\nc\r\n' });
  const saved = await run.salvage(worktree, 'm');
  expect(git(dir, 'cat-file', 'blob', `${saved?.commit}:f.txt`)).toBe('a\nb\nc');
});

it('saves what is read-only, and removes it', async () => {
  const dir = clone();
  const { run, worktree } = await carved(dir);
  write(worktree.path, { 'ro/f.txt': 'x' });
  chmodSync(join(worktree.path, 'ro/f.txt'), 0o444);
  chmodSync(join(worktree.path, 'f.txt'), 0o000);
  chmodSync(join(worktree.path, 'ro'), 0o555);
  expect((await run.salvage(worktree, 'm'))?.changed).toEqual([
    { path: 'ro/f.txt', status: 'added' },
  ]);
  expect(await run.remove(worktree)).toEqual({ kind: 'removed' });
  expect(existsSync(worktree.path)).toBe(false);
});

it('saves a file too large for git to hold in memory', async () => {
  const dir = clone();
  const { run, worktree } = await carved(dir);
  writeFileSync(join(worktree.path, 'huge'), '');
  truncateSync(join(worktree.path, 'huge'), 2 ** 29 + 1);
  expect((await run.salvage(worktree, 'm'))?.changed).toEqual([{ path: 'huge', status: 'added' }]);
});

it.each(['.gitignore', '.gitattributes', 'sub/.gitignore', 'sub/deep/.gitattributes', 'sub/plain'])(
  'a FIFO named %s does not hold git up, and goes',
  async (name) => {
    const { run, worktree } = await carved(clone());
    write(worktree.path, { 'good.txt': 'x', 'sub/deep/good.txt': 'x' });
    const fifo = join(worktree.path, name);
    execFileSync('mkfifo', [fifo]);
    const saved = await run.salvage(worktree, 'm');
    expect(saved?.changed.map(({ path }) => path)).toEqual(['good.txt', 'sub/deep/good.txt']);
    expect(existsSync(fifo)).toBe(false);
    execFileSync('mkfifo', [fifo]);
    expect(await run.remove(worktree)).toEqual({ kind: 'removed' });
  },
  30_000,
);

it('a sparse file that would take minutes is refused, and the worktree and the worker’s commits are kept', async () => {
  const dir = clone();
  const { run, worktree } = await carved(dir);
  const own = commit(worktree.path, { 'own.txt': '1' });
  writeFileSync(join(worktree.path, 'sparse'), '');
  truncateSync(join(worktree.path, 'sparse'), 40 * 2 ** 30);
  expect(await codeFrom(run.salvage(worktree, 'm'))).toBe('SALVAGE_TOO_LARGE');
  expect(await codeFrom(run.remove(worktree))).toBe('NOT_SALVAGED');
  expect(existsSync(join(worktree.path, 'sparse'))).toBe(true);
  expect(git(dir, 'for-each-ref', '--format=%(objectname)', 'refs/atelier')).toBe(own);
  rmSync(join(worktree.path, 'sparse'));
  expect((await run.salvage(worktree, 'm'))?.commit).toBe(own);
}, 30_000);

it('more nested repositories than can be listed in time are refused, and the worktree kept', async () => {
  const { run, worktree } = await carved(clone());
  for (let n = 0; n < 60; n += 1) mkdirSync(join(worktree.path, `r${n}/.git`), { recursive: true });
  expect(await codeFrom(run.salvage(worktree, 'm'))).toBe('SALVAGE_TOO_LARGE');
  expect(existsSync(join(worktree.path, 'r59/.git'))).toBe(true);
}, 30_000);

it('a worktree that was moved or removed is not taken for a deletion of everything', async () => {
  const dir = clone();
  const { run, worktree } = await carved(dir);
  const own = commit(worktree.path, { 'own.txt': '1' });
  execFileSync('mv', [worktree.path, `${worktree.path}.moved`]);
  expect(await codeFrom(run.salvage(worktree, 'm'))).toBe('WORKTREE_GONE');
  expect(git(dir, 'for-each-ref', '--format=%(objectname)', 'refs/atelier')).toBe(own);
  symlinkSync(dir, worktree.path);
  expect(await codeFrom(run.salvage(worktree, 'm'))).toBe('WORKTREE_GONE');
  expect(await codeFrom(run.remove(worktree))).toBe('NOT_SALVAGED');
  expect(existsSync(join(`${worktree.path}.moved`, 'own.txt'))).toBe(true);
});

it('works in a repository of another hash', async () => {
  const dir = join(scratch(), 'repo');
  mkdirSync(dir);
  git(dir, 'init', '-q', '-b', 'main', '--object-format=sha256');
  commit(dir, { 'f.txt': 'base\n' });
  const { run, worktree } = await carved(dir);
  write(worktree.path, { 'f.txt': 'changed\n' });
  const saved = await run.salvage(worktree, 'm');
  expect(saved?.commit).toHaveLength(64);
  expect(await run.integrate([{ taskId: 'T-1', commit: saved?.commit ?? '' }])).toMatchObject([
    { kind: 'merged' },
  ]);
});

it('works in a shallow clone', async () => {
  const from = clone();
  commit(from, { 'f.txt': 'two\n' });
  const folder = scratch();
  git(folder, 'clone', '-q', '--depth=1', `file://${from}`, 'repo');
  const { run, worktree } = await carved(join(folder, 'repo'));
  write(worktree.path, { 'f.txt': 'three\n' });
  const saved = await run.salvage(worktree, 'm');
  expect(await run.integrate([{ taskId: 'T-1', commit: saved?.commit ?? '' }])).toMatchObject([
    { kind: 'merged' },
  ]);
});
