import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
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

test.each([{}, { GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' }])(
  'O-24: add and commit fail inside, and the work stays for the host to commit %o',
  (more) => {
    const at = project();
    const before = headOf(at);
    const env = { PATH, ...more };
    const line =
      'echo work > new.txt; git -c user.name=a -c user.email=a@b add -A || exit 3; git commit -m x';
    expect(shellIn(at, line, { env }).status).toBe(3);
    expect(readFileSync(join(at.worktree, 'new.txt'), 'utf8')).toBe('work\n');
    expect(headOf(at)).toBe(before);
    expect(at.git('-C', at.worktree, 'status', '--porcelain')).toBe('?? new.txt\n');
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
