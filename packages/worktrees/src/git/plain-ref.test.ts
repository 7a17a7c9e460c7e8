import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readPlainHead, readPlainRef } from './plain-ref.ts';

let dir = '';

const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], {
    cwd: dir,
    encoding: 'utf8',
  }).trim();

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'atelier-plain-'));
  git('init', '-q', '-b', 'main');
  git('commit', '-q', '--allow-empty', '-m', 'first');
});

afterEach(() => rmSync(dir, { recursive: true }));

const inGitDir = (name: string) => join(dir, '.git', name);
const head = () => readPlainHead({ gitDir: inGitDir(''), commonDir: inGitDir('') });

it('reads a ref and a HEAD as git itself writes them', async () => {
  const commit = git('rev-parse', 'HEAD');
  expect(await readPlainRef(inGitDir('refs/heads/main'))).toEqual({ kind: 'commit', commit });
  expect(await head()).toEqual({ kind: 'branch', ref: git('symbolic-ref', 'HEAD') });
  git('pack-refs', '--all');
  expect(await readPlainRef(inGitDir('refs/heads/main'))).toEqual({ kind: 'absent' });
  expect(await head()).toEqual({ kind: 'branch', ref: 'refs/heads/main' });
  git('checkout', '-q', '--detach');
  expect(await readPlainRef(inGitDir('HEAD'))).toEqual({ kind: 'commit', commit });
  expect(await head()).toEqual({ kind: 'detached' });
  git('checkout', '-q', '--orphan', 'unborn');
  expect(await head()).toEqual({ kind: 'branch', ref: 'refs/heads/unborn' });
});

it('leaves to git a branch that is a name for another one', async () => {
  git('symbolic-ref', 'refs/heads/alias', 'refs/heads/main');
  git('symbolic-ref', 'HEAD', 'refs/heads/alias');
  expect(git('symbolic-ref', 'HEAD')).toBe('refs/heads/main');
  expect(await head()).toBeUndefined();
});

it.each([
  ['the stub of refs in a table', 'ref: refs/heads/.invalid\n'],
  ['a name without its line break', 'ref: refs/heads/main'],
  ['half of a commit', '0123456789abcdef\n'],
  ['two lines', `${'a'.repeat(40)}\n${'b'.repeat(40)}\n`],
  ['nothing', ''],
  ['more than a ref', `ref: refs/heads/${'x'.repeat(5000)}\n`],
])('leaves %s to git', async (_, text) => {
  writeFileSync(inGitDir('HEAD'), text);
  expect(await readPlainRef(inGitDir('HEAD'))).toBeUndefined();
  expect(await head()).toBeUndefined();
});

it('follows no link, waits for no FIFO, and takes no folder for a ref', async () => {
  symlinkSync('refs/heads/main', inGitDir('LINK'));
  execFileSync('mkfifo', [inGitDir('FIFO')]);
  for (const name of ['LINK', 'FIFO', 'refs'])
    expect(await readPlainRef(inGitDir(name)), name).toBeUndefined();
});
