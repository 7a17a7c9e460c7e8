import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { commitAt, commitView } from './commit-view.ts';

test('a commit is read as it is: its files, its links, what is in its history and what differs', async () => {
  const at = mkdtempSync(join(tmpdir(), 'atelier-view-'));
  onTestFinished(() => rmSync(at, { recursive: true, force: true }));
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', at, '-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
      encoding: 'utf8',
    }).trim();
  const commit = () => {
    git('add', '--all');
    git('commit', '--quiet', '--message', 'next');
    return git('rev-parse', 'HEAD');
  };
  git('init', '--quiet', '--initial-branch=main');
  mkdirSync(join(at, 'a/b'), { recursive: true });
  writeFileSync(join(at, 'a/b/né\nw'), 'one');
  writeFileSync(join(at, 'gone'), 'one');
  mkdirSync(join(at, 'linked'));
  symlinkSync('../gone', join(at, 'linked/l'));
  const first = commit();
  writeFileSync(join(at, 'a/b/né\nw'), 'two');
  rmSync(join(at, 'gone'));
  const second = commit();

  const commonDir = join(at, '.git');
  expect(await commitAt({ commonDir, ref: 'refs/heads/main' })).toBe(second);
  await expect(commitAt({ commonDir, ref: 'refs/heads/x' })).rejects.toMatchObject({
    code: 'RUN_BRANCH_MISSING',
  });
  const { work, changedFiles } = commitView({ commonDir, commit: second });
  expect(await work.tip()).toBe(second);
  expect(await work.tree(first)).toBe(git('rev-parse', `${first}^{tree}`));
  const found = await work.objectsAt(second, ['a', 'a/b', 'gone', 'a/../a']);
  expect([...found].map(([path, { mode }]) => [path, mode])).toEqual([
    ['a', '040000'],
    ['a/b', '040000'],
  ]);
  expect(found.get('a')?.oid).toBe(git('rev-parse', `${second}:a`));
  expect([await work.hasLinks?.(first, ['linked']), await work.hasLinks?.(first, ['a'])]).toEqual([
    ...[true, false],
  ]);
  const orphan = git('commit-tree', '-m', 'x', `${first}^{tree}`);
  const known = [first, second, orphan, '0'.repeat(40), '--all'].map((one) => work.contains(one));
  expect(await Promise.all(known)).toEqual([true, true, false, false, false]);
  expect(await changedFiles(first, second)).toEqual(['a/b/né\nw', 'gone']);
  expect(await changedFiles('--output=x', second)).toBeUndefined();
  expect(await changedFiles('0'.repeat(40), second)).toBeUndefined();
  // A process for each task would be thousands: what a commit holds never changes.
  rmSync(commonDir, { recursive: true });
  expect(await work.tree(first)).toMatch(/^[0-9a-f]{40}$/);
  await expect(work.tree(orphan)).rejects.toThrow();
});
