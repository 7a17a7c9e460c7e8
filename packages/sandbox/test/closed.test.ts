import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Project, project, runIn, shellIn } from './project.ts';

/** A project whose worktree has a folder, deep down, with a hard link to a file of the clone. */
function linkedProject(): Project & { readonly deps: string; readonly original: string } {
  const at = project();
  const original = join(at.repo, 'ignored');
  const deps = join(at.worktree, 'packages/a b/deps');
  mkdirSync(deps, { recursive: true });
  writeFileSync(original, 'original\n');
  chmodSync(original, 0o644);
  linkSync(original, join(deps, 'file'));
  return { ...at, deps, original };
}

const kept = (original: string) => {
  expect(readFileSync(original, 'utf8')).toBe('original\n');
  expect(statSync(original).mode & 0o777).toBe(0o644);
};

const DEPS = `'packages/a b/deps'`;

test('read-only: nothing of the worktree can be written, and HOME and /tmp can', () => {
  const at = project();
  const readOnly = { access: { readOnly: true } };
  for (const line of [
    'echo x > new',
    'echo x >> f.txt',
    'mkdir sub',
    'rm f.txt',
    'mv f.txt g.txt',
    'chmod 777 f.txt',
    'touch f.txt',
    'mount -o remount,bind,rw "$PWD"',
    'echo x > .git',
  ])
    expect(shellIn(at, line, readOnly).status, line).not.toBe(0);
  expect(readdirSync(at.worktree).sort()).toEqual(['.git', 'f.txt']);
  expect(readFileSync(join(at.worktree, 'f.txt'), 'utf8')).toBe('base\n');
  const line = 'cat f.txt && git status --porcelain && echo 1 > "$HOME/made" && echo 2 > /tmp/made';
  const { status, stdout, stderr } = shellIn(at, line, readOnly);
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'base\n', stderr: '' });
});

test('read-only: the command may start in a folder of the worktree', () => {
  const at = project();
  const cwd = join(at.worktree, 'sub');
  mkdirSync(cwd);
  const { stdout } = runIn(at, { file: '/bin/pwd', cwd, access: { readOnly: true } });
  expect(stdout).toBe(`${cwd}\n`);
});

test('read-only: a clone of its own, with its run data hidden as before', () => {
  const at = project();
  const run = { access: { worktree: at.repo, readOnly: true }, cwd: at.repo };
  expect(shellIn(at, 'git status --porcelain', run).status).toBe(0);
  expect(shellIn(at, 'echo x > made', run).status).not.toBe(0);
  expect(shellIn(at, 'cat .git/atelier/atelier.db', run).stdout).toBe('');
});

test.each([
  ['written', `echo x >> ${DEPS}/file`],
  ['truncated', `: > ${DEPS}/file`],
  ['given other modes', `chmod 777 ${DEPS}/file`],
  ['given another time', `touch ${DEPS}/file`],
  ['removed', `rm -f ${DEPS}/file`],
  ['moved out', `mv ${DEPS}/file moved`],
  ['replaced by a rename', `echo x > x; mv -f x ${DEPS}/file`],
  ['given one more name outside', `ln ${DEPS}/file again`],
  ['joined by a new file', `echo x > ${DEPS}/new`],
  ['moved with its folder', `mv ${DEPS} moved`],
  ['removed with its folder', `rm -rf ${DEPS}`],
  ['removed with the folder above', 'rm -rf packages'],
  ['mounted again', `mount -o remount,bind,rw ${DEPS} || umount ${DEPS}`],
])('a hard link in a frozen folder can not be %s', (_, line) => {
  const at = linkedProject();
  expect(shellIn(at, line, { access: { frozen: [at.deps] } }).status).not.toBe(0);
  kept(at.original);
  expect(readdirSync(at.deps)).toEqual(['file']);
  expect(statSync(at.original)).toMatchObject({ nlink: 2 });
});

test('beside a frozen path everything can be written, in its parent too', () => {
  const at = linkedProject();
  const line = `echo 1 > made && echo 2 > 'packages/a b/made' && mv 'packages/a b/made' packages/made`;
  const { status, stderr } = shellIn(at, line, { access: { frozen: [at.deps] } });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(readFileSync(join(at.worktree, 'packages/made'), 'utf8')).toBe('2\n');
});

test('a frozen file is closed by itself', () => {
  const at = linkedProject();
  const access = { frozen: [join(at.deps, 'file')] };
  for (const line of [`echo x >> ${DEPS}/file`, `rm -f ${DEPS}/file`, `mv ${DEPS}/file moved`])
    expect(shellIn(at, line, { access }).status, line).not.toBe(0);
  expect(shellIn(at, `echo x > ${DEPS}/new`, { access }).status).toBe(0);
  kept(at.original);
});

test('the folder above a frozen one can be renamed and made again; what was frozen stays closed', () => {
  const at = linkedProject();
  const line = `
    mv packages gone && mkdir -p ${DEPS} && echo mine > ${DEPS}/file || exit 9
    echo x >> 'gone/a b/deps/file'; chmod 777 'gone/a b/deps/file'
    mv 'gone/a b/deps' moved; rm -rf gone; ln 'gone/a b/deps/file' again`;
  expect(shellIn(at, line, { access: { frozen: [at.deps] } }).status).not.toBe(9);
  kept(at.original);
  expect(readFileSync(join(at.worktree, 'gone/a b/deps/file'), 'utf8')).toBe('original\n');
  // What lies at the frozen path now is the worker's.
  expect(readFileSync(join(at.deps, 'file'), 'utf8')).toBe('mine\n');
  expect(existsSync(join(at.worktree, 'again'))).toBe(false);
});

test('frozen paths may lie in each other, and in what git closes', () => {
  const at = linkedProject();
  const frozen = [join(at.deps, 'file'), at.deps, `${at.deps}/`, join(at.worktree, '.git')];
  expect(shellIn(at, `cat ${DEPS}/file`, { access: { frozen } }).stdout).toBe('original\n');
  const clone = {
    worktree: at.repo,
    frozen: [join(at.repo, '.git/atelier'), join(at.repo, '.git/hooks')],
  };
  mkdirSync(join(at.repo, '.git/hooks'), { recursive: true });
  const run = { access: clone, cwd: at.repo };
  expect(shellIn(at, 'cat .git/atelier/atelier.db', run).stdout).toBe('');
});

test('a frozen path of a worktree below a symlinked folder', () => {
  const at = linkedProject();
  symlinkSync('trees', join(at.folder, 'alias'));
  const worktree = join(at.folder, 'alias/T 1');
  const access = { worktree, frozen: [join(worktree, 'packages/a b/deps')] };
  expect(shellIn(at, `echo x >> ${DEPS}/file`, { access, cwd: worktree }).status).not.toBe(0);
  kept(at.original);
});
