import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { listSalvage, restoreSalvage, showSalvage } from '../src/index.ts';
import { clone, codeFrom, commit, git, scratch, seenBy, start, write } from './scratch.ts';

/** An attempt with an edit, a new file and a commit of the worker’s, saved as `withWorktrees` does. */
async function saved(taskId: string, started: Awaited<ReturnType<typeof start>>) {
  const { run } = started;
  const worktree = await run.carve({ taskId, attempt: 1 });
  write(worktree.path, { [`${taskId}.txt`]: 'one\ntwo\n' });
  git(worktree.path, 'add', '-A');
  git(worktree.path, 'commit', '-qm', 'of another task of elsewhere');
  write(worktree.path, { 'f.txt': `edited by ${taskId}\n` });
  const work = await run.salvage(worktree, `Attempt 1 of task ${taskId}`);
  if (!work) throw new Error('nothing was saved');
  return { worktree, ...work };
}

it('lists saved work with its base, whether it is merged, and how much it is', async () => {
  const dir = clone();
  const started = await start(dir);
  const first = await saved('T 1/ä', started);
  const second = await saved('two', started);
  await started.run.integrate([{ taskId: 'two', commit: second.commit }]);
  const third = await saved('three', started);
  const list = await listSalvage(started.repository);
  const by = new Map(list.map((one) => [one.ref, one]));
  expect(list).toHaveLength(3);
  expect(by.get(first.ref)).toMatchObject({
    ...{ run: 'r1', task: 'T 1/ä', attempt: 1, after: false, commit: first.commit },
    ...{ base: started.run.base, files: 2, merged: false },
  });
  expect(by.get(second.ref)).toMatchObject({ base: started.run.base, files: 2, merged: true });
  expect(by.get(third.ref)).toMatchObject({ base: third.base, files: 2, merged: false });
  expect(third.base).not.toBe(started.run.base);
  expect(Math.abs((list[0]?.savedAt ?? 0) - Date.now())).toBeLessThan(3_600_000);
});

it('lists what came after an attempt, work of a run whose branch is gone, and no ref of another shape', async () => {
  const dir = clone();
  const started = await start(dir);
  const work = await saved('one', started);
  write(work.worktree.path, { 'late.txt': 'late\n' });
  await started.run.release({ taskId: 'one', attempt: 1 });
  git(dir, 'branch', '-q', '-D', 'atelier/r1');
  for (const ref of ['x', 'r1/x', 'r1/x/0', 'r1/x/y', 'R1/x/1', 'r1/x/1/2'])
    git(dir, 'update-ref', `refs/atelier/${ref.replace('r1/x', `r1/x${ref.length}`)}`, 'HEAD');
  git(dir, 'update-ref', 'refs/atelier/r1/tree/1', 'HEAD^{tree}');
  const list = await listSalvage(started.repository);
  expect(list.map(({ ref, after }) => [ref, after]).sort()).toEqual([
    [work.ref, false],
    [`${work.ref}-after`, true],
  ]);
  const by = new Map(list.map((one) => [one.after, one]));
  const both = { merged: false, task: 'one' };
  expect(by.get(false)).toMatchObject({ ...both, base: started.run.base, files: 2 });
  // What came later is counted from the work.
  expect(by.get(true)).toMatchObject({ ...both, base: work.commit, files: 1 });
});

it('believes no message about the task that the ref does not confirm', async () => {
  const started = await start(clone());
  const { run, repository } = started;
  const worktree = await run.carve({ taskId: 'mine', attempt: 1 });
  // Nothing is beside the worker’s own commit, so that is what is kept.
  const own = commit(worktree.path, { a: 'x' }, 'm\n\nAtelier-Task: "\\u001b[2Jother"');
  await run.salvage(worktree, 'm');
  const [one] = await listSalvage(repository);
  expect(one?.commit).toBe(own);
  expect(one?.task).toMatch(/^mine-[0-9a-f]{12}$/);
});

it('knows the base of merged work beside other work of the same base and second', async () => {
  const dir = clone();
  const { run, repository } = await start(dir);
  const offers = [];
  for (const taskId of ['a', 'b', 'c']) {
    const worktree = await run.carve({ taskId, attempt: 1 });
    write(worktree.path, { [taskId]: 'x' });
    const saved = await run.salvage(worktree, 'm');
    const text = git(dir, 'cat-file', 'commit', saved?.commit ?? '');
    write(dir, { '.git/one': `${text.replace(/> \d+ /g, '> 1700000000 ')}\n` });
    const one = git(dir, 'hash-object', '-t', 'commit', '-w', '.git/one');
    git(dir, 'update-ref', saved?.ref ?? '', one);
    offers.push({ taskId, commit: one });
  }
  await run.integrate(offers.slice(0, 2));
  const list = await listSalvage(repository);
  expect(list).toMatchObject([
    { task: 'a', base: run.base, files: 1, merged: true },
    { task: 'b', base: run.base, files: 1, merged: true },
    { task: 'c', base: run.base, files: 1, merged: false },
  ]);
  expect(new Set(list.map(({ savedAt }) => savedAt)).size).toBe(1);
});

it('two thousand refs are listed by a few git commands', async () => {
  const dir = clone();
  const started = await start(dir);
  const { commit, ref } = await saved('one', started);
  const folder = ref.slice(0, ref.lastIndexOf('/'));
  const lines = Array.from({ length: 2000 }, (_, at) => `create ${folder}x${at}/1 ${commit}`);
  write(dir, { '.git/refs.txt': `${lines.join('\n')}\n` });
  git(dir, 'config', 'alias.many', '!git update-ref --stdin < .git/refs.txt');
  git(dir, 'many');
  const bin = scratch();
  const path = process.env['PATH'];
  write(bin, { git: `#!/bin/sh\necho x >> ${bin}/calls\nPATH='${path}' exec git "$@"\n` });
  chmodSync(join(bin, 'git'), 0o755);
  process.env['PATH'] = `${bin}:${path}`;
  try {
    const list = await listSalvage(started.repository);
    expect(list).toHaveLength(2001);
    expect(list.every(({ files, base }) => files === 2 && base === started.run.base)).toBe(true);
  } finally {
    process.env['PATH'] = path;
  }
  expect(readFileSync(join(bin, 'calls'), 'utf8').split('\n').length).toBeLessThan(12);
}, 120_000);

it('shows changes with numbers, and the patch when asked, bounded', async () => {
  const started = await start(clone());
  const { ref } = await saved('one', started);
  const shown = await showSalvage(started.repository, ref);
  expect(shown.changes).toEqual([
    { path: 'f.txt', status: 'modified', insertions: 1, deletions: 1 },
    { path: 'one.txt', status: 'added', insertions: 2, deletions: 0 },
  ]);
  expect(shown).not.toHaveProperty('patch');
  const whole = await showSalvage(started.repository, ref, { patchBytes: 10_000 });
  expect(whole.patch).toMatchObject({
    text: expect.stringContaining('+edited by one'),
    truncated: false,
  });
  const cut = await showSalvage(started.repository, ref, { patchBytes: 40 });
  expect(cut.patch).toMatchObject({ text: expect.stringMatching(/^.{20,40}$/s), truncated: true });
});

it.each(['refs/heads/main', 'refs/atelier/r1/none/1', '--all', 'refs/atelier/*', 'HEAD', ''])(
  'knows no saved work on %j',
  async (ref) => {
    const started = await start(clone());
    await saved('one', started);
    const { repository } = started;
    expect(await codeFrom(showSalvage(repository, ref))).toBe('NO_SUCH_SALVAGE');
    expect(await codeFrom(restoreSalvage(repository, { ref, branch: 'b' }))).toBe(
      'NO_SUCH_SALVAGE',
    );
  },
);

it('restores to a new branch, and moves nothing else', async () => {
  const dir = clone();
  const started = await start(dir);
  const { ref, commit } = await saved('one', started);
  git(dir, 'checkout', '-q', '-b', 'previous');
  git(dir, 'checkout', '-q', 'main');
  write(dir, { 'f.txt': 'dirty\n', 'untracked.txt': 'x' });
  const before = seenBy(dir);
  const { repository } = started;
  expect(await restoreSalvage(repository, { ref, branch: 'back/one' })).toEqual({
    ...{ kind: 'branch', branch: 'back/one', commit },
  });
  expect(git(dir, 'rev-parse', 'back/one')).toBe(commit);
  for (const branch of ['main', 'back/one', 'atelier/r1'])
    expect(await codeFrom(restoreSalvage(repository, { ref, branch }))).toBe('BRANCH_EXISTS');
  for (const branch of ['', '-x', 'a..b', 'a b', '@{-1}', 'x.lock', 'HEAD', 'a\nb', '../x'])
    expect(await codeFrom(restoreSalvage(repository, { ref, branch }))).toBe('INVALID_BRANCH');
  expect(seenBy(dir)).toBe(before);
});

it('restores to a new folder, whole and without a repository, never onto anything', async () => {
  const dir = clone(scratch(), { 'f.txt': 'base\n', 'out/a.txt': 'a\n' });
  git(dir, 'sparse-checkout', 'set', '--no-cone', '/f.txt', '/one.txt');
  const started = await start(dir);
  const { ref } = await saved('one', started);
  const before = seenBy(dir);
  const { repository } = started;
  const outside = scratch();
  const to = join(outside, 'restored');
  expect(await restoreSalvage(repository, { ref, to })).toMatchObject({ kind: 'folder', path: to });
  expect(readdirSync(to).sort()).toEqual(['f.txt', 'one.txt', 'out']);
  expect(readFileSync(join(to, 'f.txt'), 'utf8')).toBe('edited by one\n');
  mkdirSync(join(outside, 'there'));
  symlinkSync(join(outside, 'nowhere'), join(outside, 'link'));
  for (const name of ['there', 'link', 'restored'])
    expect(await codeFrom(restoreSalvage(repository, { ref, to: join(outside, name) }))).toBe(
      'DESTINATION_EXISTS',
    );
  expect(lstatSync(join(outside, 'link')).isSymbolicLink()).toBe(true);
  symlinkSync(dir, join(outside, 'way'));
  for (const inside of [join(dir, 'new'), join(dir, '.git/new'), join(outside, 'way/new')])
    expect(await codeFrom(restoreSalvage(repository, { ref, to: inside }))).toBe(
      'DESTINATION_INSIDE_CLONE',
    );
  expect(await codeFrom(restoreSalvage(repository, { ref, to: join(outside, 'no/new') }))).toBe(
    'DESTINATION_MISSING',
  );
  expect(existsSync(join(dir, 'new'))).toBe(false);
  expect(seenBy(dir)).toBe(before);
});
