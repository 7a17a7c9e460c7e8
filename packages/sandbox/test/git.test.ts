import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PATH, type Project, project, shellIn } from './project.ts';

const headOf = (at: Project) => at.git('rev-parse', 'main').trim();

test('status, diff and log of git work inside', () => {
  const at = project();
  writeFileSync(join(at.worktree, 'f.txt'), 'changed\n');
  const { status, stdout, stderr } = shellIn(
    at,
    'git status --porcelain; git diff; git log --oneline',
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain(' M f.txt');
  expect(stdout).toContain('+changed');
  expect(stdout).toMatch(/ base\n$/u);
});

test('status, diff, log and show of git leave no word, and nothing in the git folder', () => {
  const at = project();
  const folder = join(
    at.repo,
    '.git/worktrees',
    readdirSync(join(at.repo, '.git/worktrees'))[0] ?? '',
  );
  const before = readdirSync(folder).sort();
  const line =
    'git status --porcelain; git diff; git diff HEAD; git log --format=%s; git show --format= --name-only';
  const { status, stdout, stderr } = shellIn(at, line);
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'base\nf.txt\n', stderr: '' });
  expect(readdirSync(folder).sort()).toEqual(before);
});

test.each([
  ['rev-parse HEAD', /^[0-9a-f]{40}\n$/u],
  ['ls-files', /^f\.txt\n$/u],
  ['blame f.txt', / base\n$/u],
  ['grep base', /^f\.txt:base\n$/u],
  ['worktree list', /\(detached HEAD\)/u],
])('git %s works inside', (words, said) => {
  expect(shellIn(project(), `git ${words}`)).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(said),
    stderr: '',
  });
});

const INDEX =
  /^fatal: Unable to create '.*\/\.git\/worktrees\/T-1\/index\.lock': Read-only file system$/mu;
const REF =
  /^fatal: cannot lock ref '(refs\/\S+)': Unable to create '.*\/\.git\/\1\.lock': Read-only file system$/mu;

/** What git answers to whoever wants to record something; the table of the README. */
const ANSWERS: readonly (readonly [string, number, RegExp])[] = [
  ['add -A', 128, INDEX],
  ['commit -qam work', 128, INDEX],
  ['commit --allow-empty -m work', 128, INDEX],
  ['restore f.txt', 128, INDEX],
  ['checkout f.txt', 128, INDEX],
  ['reset --hard', 128, INDEX],
  ['stash', 1, /^$/u],
  ['checkout -b other', 128, REF],
  ['switch -c other', 128, REF],
  ['branch other', 128, REF],
  ['tag other', 128, REF],
];

test.each(ANSWERS)('O-24: git %s is answered as documented', (words, code, said) => {
  const at = project();
  const before = at.git('for-each-ref');
  const line = `echo work > new.txt; echo more >> f.txt; git -c user.name=a -c user.email=a@b ${words}`;
  const { status, stderr } = shellIn(at, line);
  expect(status).toBe(code);
  expect(stderr).toMatch(said);
  expect(at.git('for-each-ref')).toBe(before);
  expect(at.git('-C', at.worktree, 'rev-parse', 'HEAD')).toBe(at.git('rev-parse', 'main'));
  expect(at.git('-C', at.worktree, 'status', '--porcelain')).toBe(' M f.txt\n?? new.txt\n');
});

test.each([
  [{}, INDEX],
  [{ GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' }, /^fatal: detected dubious ownership in repository/mu],
] as const)(
  'O-24: add and commit fail inside, and the work is committed by the host %o',
  (more, said) => {
    const at = project();
    const before = headOf(at);
    const env = { PATH, ...more };
    const who = 'git -c user.name=a -c user.email=a@b';
    const line = `echo work > new.txt; ${who} add -A; [ $? = 128 ] || exit 3; ${who} commit -am x`;
    const { status, stderr } = shellIn(at, line, { env });
    expect(status).toBe(128);
    expect(stderr).toMatch(said);
    expect(readFileSync(join(at.worktree, 'new.txt'), 'utf8')).toBe('work\n');
    expect(headOf(at)).toBe(before);
    expect(at.git('-C', at.worktree, 'status', '--porcelain')).toBe('?? new.txt\n');
    at.git('-C', at.worktree, 'add', '-A');
    at.git('-C', at.worktree, 'commit', '-qm', 'by the host');
    expect(at.git('-C', at.worktree, 'show', '--format=%s', '--name-only')).toBe(
      'by the host\n\nnew.txt\n',
    );
    expect(headOf(at)).toBe(before);
  },
);

test('O-26: absolute paths into the main checkout lead to no write and no commit', () => {
  const at = project();
  const before = headOf(at);
  const line = `echo leak > '${at.repo}/leak.txt'; git -C '${at.repo}' add leak.txt; git -C '${at.repo}' commit -qm leak`;
  const { status, stderr } = shellIn(at, line);
  expect(status).not.toBe(0);
  expect(stderr).toContain('Read-only file system');
  expect(existsSync(join(at.repo, 'leak.txt'))).toBe(false);
  expect(headOf(at)).toBe(before);
  expect(at.git('status', '--porcelain')).toBe('');
});

test.each([
  ['the pointer is overwritten', 'echo gitdir: /tmp > .git'],
  ['the pointer is removed', 'rm -f .git'],
  ['the pointer is replaced by a rename', 'echo gitdir: /tmp > x; mv -f x .git'],
  ['the pointer is replaced by a link', 'ln -sfn /tmp .git'],
  ['the pointer is moved away', 'mv .git gone'],
  ['the worktree is moved away', 'mv "$PWD" "$PWD.moved"'],
])('O-42: %s: denied', (_, line) => {
  const at = project();
  const before = readFileSync(join(at.worktree, '.git'), 'utf8');
  expect(shellIn(at, line).status).not.toBe(0);
  expect(readFileSync(join(at.worktree, '.git'), 'utf8')).toBe(before);
});

test.each([
  ['config', 'git config core.fsmonitor "touch /tmp/mark"'],
  ['config of the worktree', 'git config --worktree core.fsmonitor x'],
  ['hooks', 'echo x > "$(git rev-parse --git-common-dir)/hooks/post-merge"'],
  ['attributes', 'echo "* filter=x" > "$(git rev-parse --git-common-dir)/info/attributes"'],
  ['a branch', 'git update-ref refs/heads/main HEAD~0; git branch other'],
  ['the index', 'git rm -q --cached f.txt'],
])('O-42: %s of the repository: denied', (_, line) => {
  const at = project();
  const config = readFileSync(join(at.repo, '.git/config'), 'utf8');
  expect(shellIn(at, line).status).not.toBe(0);
  expect(readFileSync(join(at.repo, '.git/config'), 'utf8')).toBe(config);
  expect(existsSync(join(at.repo, '.git/hooks/post-merge'))).toBe(false);
  expect(at.git('branch', '--format=%(refname:short)').trim().split('\n')).toContain('main');
  expect(at.git('branch', '--list', 'other')).toBe('');
});

test('decision 42: the run data in the common git folder is hidden', () => {
  const at = project();
  const line = `ls -A '${at.repo}/.git/atelier'; cat '${at.repo}/.git/atelier/atelier.db'`;
  expect(shellIn(at, line).stdout).toBe('');
  const { journal } = { journal: join(at.repo, '.git/atelier/atelier.db') };
  expect(readFileSync(journal, 'utf8')).toBe('the nonce of another worker');
});

test('a clone of its own works as a worktree, and its git folder is closed as well', () => {
  const at = project();
  const access = { worktree: at.repo };
  const run = { access, cwd: at.repo };
  expect(shellIn(at, 'git status --porcelain; echo x > made', run).status).toBe(0);
  expect(readFileSync(join(at.repo, 'made'), 'utf8')).toBe('x\n');
  expect(shellIn(at, 'echo x > .git/hooks/post-merge', run).status).not.toBe(0);
  expect(shellIn(at, 'cat .git/atelier/atelier.db', run).stdout).toBe('');
});

test('a pointer that leads to a foreign folder opens nothing', () => {
  const at = project();
  const foreign = join(at.folder, 'foreign');
  mkdirSync(foreign);
  for (const pointer of [`gitdir: ${foreign}\n`, 'nothing\n', 'gitdir: /nowhere\n']) {
    writeFileSync(join(at.worktree, '.git'), pointer);
    expect(() => shellIn(at, 'true')).toThrow(
      expect.objectContaining({
        code: 'SANDBOX_GIT_POINTER',
        message: expect.stringContaining(at.worktree),
      }),
    );
  }
});

test('a pointer to the git folder of another worktree is not believed', () => {
  const at = project();
  const other = join(at.folder, 'trees/other');
  at.git('worktree', 'add', '-q', '--detach', other);
  writeFileSync(join(at.worktree, '.git'), readFileSync(join(other, '.git'), 'utf8'));
  expect(() => shellIn(at, 'true')).toThrow(
    expect.objectContaining({ code: 'SANDBOX_GIT_POINTER' }),
  );
});
