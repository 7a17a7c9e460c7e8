import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { objectReader } from './object-reader.ts';
import { readCommits } from './read-commits.ts';

it('tells commits and their trees in the order of the names, and which names stand for none', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'atelier-commits-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const person = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], {
      cwd: dir,
      encoding: 'utf8',
    }).trim();
  person('init', '-q', '-b', 'main');
  person('commit', '-q', '--allow-empty', '-m', `tree ${'0'.repeat(40)}\n\nü commit 3\nx`);
  person('tag', '-a', 'v1', '-m', 'of a commit');
  person('tag', 'of-a-tree', 'HEAD^{tree}');
  const commit = person('rev-parse', 'HEAD');
  const tree = person('rev-parse', 'HEAD^{tree}');
  const reader = objectReader({ gitDir: join(dir, '.git'), workTree: dir });
  const names = ['HEAD', 'none', 'refs/tags/v1', 'refs/tags/of-a-tree', '0'.repeat(40), commit];
  const found = { commit, tree };
  expect(await readCommits(reader, names)).toEqual([
    ...[found, undefined, found, undefined, undefined, found],
  ]);
  expect(await readCommits(reader, [])).toEqual([]);
});
