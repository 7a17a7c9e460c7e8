import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { gitAt } from '../src/git/git.ts';
import { baseIn, countIn, newCommits } from '../src/integration/merge-commits.ts';
import { randomFrom } from './generated-merges.ts';
import { git, gitOn, scratch } from './scratch.ts';

/** Commits with those parents, by their places in the list. */
function history(parents: readonly (readonly number[])[]) {
  const dir = scratch();
  git(dir, 'init', '-q');
  const parts = parents.map((all, at) => {
    const lines = all.map((parent, place) => `${place > 0 ? 'merge' : 'from'} :${parent + 1}\n`);
    const ref = `refs/heads/c${at}`;
    return `commit ${ref}\nmark :${at + 1}\ncommitter a <a@b> ${at} +0000\ndata 1\n.\n${lines.join('')}\n`;
  });
  gitOn(dir, parts.join(''), 'fast-import', '--quiet');
  const names = git(dir, 'for-each-ref', '--format=%(objectname)', '--sort=v:refname').split('\n');
  return { dir, names, objects: gitAt({ gitDir: join(dir, '.git'), workTree: dir }) };
}

/** All that git finds. */
const basesOf = (dir: string, one: string, other: string): string =>
  spawnSync('git', ['merge-base', '--all', one, other], { cwd: dir, encoding: 'utf8' }).stdout;

it('a merge base that is known from what is new is the only one that git finds', async () => {
  const random = randomFrom(4);
  const parents = Array.from({ length: 60 }, (_, at) => {
    const count = at === 0 || random(12) === 0 ? 0 : random(5) === 0 ? 2 : 1;
    return [...new Set(Array.from({ length: Math.min(count, at) }, () => random(at)))];
  });
  const { dir, names, objects } = history(parents);
  let known = 0;
  for (let round = 0; round < 25; round += 1) {
    const offers = Array.from({ length: 6 }, () => names[random(60)] ?? '');
    let tip = names[random(60)] ?? '';
    const commits = await newCommits(objects, offers, tip);
    for (const offer of offers.filter((one) => commits.has(one))) {
      if (!commits.has(offer)) continue;
      const base = baseIn(commits, offer);
      if (base !== undefined) {
        known += 1;
        expect(`${base}\n`).toBe(basesOf(dir, tip, offer));
      }
      if (random(2) === 0) continue;
      tip = git(dir, 'commit-tree', '-m', 'm', '-p', tip, '-p', offer, `${tip}^{tree}`);
      countIn(commits, offer);
    }
  }
  expect(known).toBeGreaterThan(20);
});

it('two histories that have merged each other have no base that is known', async () => {
  const { dir, names, objects } = history([[], [0], [0], [1, 2], [2, 1], [4]]);
  const [, , , ours = '', , theirs = ''] = names;
  expect(basesOf(dir, ours, theirs).split('\n')).toHaveLength(3);
  expect(baseIn(await newCommits(objects, [theirs], ours), theirs)).toBeUndefined();
});

it('histories without a common commit have none', async () => {
  const { names, objects } = history([[], [0], [], [2]]);
  const [, ours = '', , theirs = ''] = names;
  expect(baseIn(await newCommits(objects, [theirs], ours), theirs)).toBeUndefined();
});

it('what the tip has already has none', async () => {
  const { names, objects } = history([[], [0]]);
  const [base = '', tip = ''] = names;
  expect(baseIn(await newCommits(objects, [base], tip), base)).toBeUndefined();
});
