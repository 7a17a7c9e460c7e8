import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import type { Access } from '../src/access.ts';
import { type Project, project, runIn, shellIn } from './project.ts';

const made = (path: string): string => {
  mkdirSync(path, { recursive: true });
  return path;
};

type Case = readonly [string, (at: Project) => Partial<Access>, (at: Project) => string];

const inside = (at: Project) => made(join(at.worktree, 'sub'));

const journal = (at: Project) => join(at.repo, '.git/atelier');
const hooks = (at: Project) => made(join(at.repo, '.git/hooks'));
const socket = (at: Project, inside: string) => {
  const outside = join(at.folder, 'no-socket');
  writeFileSync(outside, '');
  return { outside, inside };
};
const linked = (at: Project) => {
  symlinkSync(at.worktree, join(at.folder, 'link'));
  return join(at.folder, 'link');
};
const turned = (at: Project, name: string) => {
  mkdirSync(join(at.worktree, 'sub/deps'), { recursive: true });
  symlinkSync('sub', join(at.worktree, 'turned'));
  symlinkSync(join(at.worktree, 'sub/deps'), join(at.folder, 'deps'));
  return join(at.folder, name);
};
const piped = (at: Project) => {
  const pipe = join(at.worktree, 'pipe');
  execFileSync('mkfifo', [pipe]);
  return pipe;
};

const CASES: readonly Case[] = [
  ['a read path that is the root', () => ({ read: ['/'] }), () => '"/"'],
  ['a read path above the worktree', (at) => ({ read: [at.folder] }), (at) => at.folder],
  ['a read path in the worktree', (at) => ({ read: [inside(at)] }), (at) => inside(at)],
  ['the run data as a read path', (at) => ({ read: [journal(at)] }), journal],
  ['processes of the host', () => ({ read: ['/proc/1'] }), () => '/proc/1'],
  ['sockets of the host', () => ({ read: ['/run'] }), () => '/run'],
  ['a HOME in the worktree', (at) => ({ home: inside(at) }), (at) => inside(at)],
  ['a HOME around the worktree', (at) => ({ home: at.folder }), (at) => at.folder],
  ['a write path around the git folder', (at) => ({ write: [at.repo] }), (at) => at.repo],
  ['a write path in the git folder', (at) => ({ write: [hooks(at)] }), hooks],
  ['a write path around HOME', (at) => ({ write: [join(at.folder, 'homes')] }), () => 'homes'],
  ['the system as a write path', () => ({ write: ['/usr'] }), () => '/usr'],
  ['a relative worktree', (at) => ({ worktree: relative('/', at.worktree) }), () => 'trees'],
  ['a path with dots', (at) => ({ read: [`${at.repo}/../x`] }), () => '/../x'],
  ['a path that is not there', (at) => ({ read: [`${at.folder}/gone`] }), () => 'gone'],
  ['a worktree that is a symlink', (at) => ({ worktree: linked(at) }), (at) => `${at.folder}/link`],
  ['a frozen path outside the worktree', (at) => ({ frozen: [at.home] }), (at) => at.home],
  ['a frozen path that is the worktree', (at) => ({ frozen: [at.worktree] }), (at) => at.worktree],
  ['a frozen path beside', (at) => ({ frozen: [made(`${at.worktree}2`)] }), (at) => at.worktree],
  ['a frozen path that is not there', (at) => ({ frozen: [`${at.worktree}/no`] }), () => '/no'],
  ['a frozen path with dots', (at) => ({ frozen: [`${at.worktree}/../x`] }), () => '/../x'],
  ['a frozen path that is a pipe', (at) => ({ frozen: [piped(at)] }), () => '/pipe'],
  [
    'a frozen path that is a symlink',
    (at) => ({ frozen: [turned(at, 'trees/T 1/turned')] }),
    () => '/turned',
  ],
  [
    'a frozen path over a symlink',
    (at) => ({ frozen: [turned(at, 'trees/T 1/turned/deps')] }),
    () => '/turned/deps',
  ],
  [
    'a frozen path that is a symlink from outside',
    (at) => ({ frozen: [turned(at, 'deps')] }),
    (at) => `${at.folder}/deps`,
  ],
  [
    'a socket folder with a file in it',
    (at) => ({ sockets: [{ ...socket(at, '/run/s'), outside: at.folder }] }),
    () => 'which is no socket',
  ],
  ['a socket that is a file', (at) => ({ sockets: [socket(at, '/run/s')] }), () => 'no-socket'],
];

test.each(CASES)('refused by name: %s', (_, access, named) => {
  const at = project();
  const more = access(at);
  const cwd = at.worktree;
  expect(() => shellIn(at, 'true', { access: more, cwd })).toThrow(
    expect.objectContaining({
      code: 'SANDBOX_ACCESS',
      message: expect.stringContaining(named(at)),
      hint: expect.stringMatching(/\S/u),
    }),
  );
});

test('refused by name: a worktree without a .git, which a worker could then plant', () => {
  const at = project();
  const worktree = made(join(at.folder, 'plain'));
  expect(() => shellIn(at, 'true', { access: { worktree }, cwd: worktree })).toThrow(
    expect.objectContaining({
      code: 'SANDBOX_GIT_POINTER',
      message: expect.stringContaining(worktree),
    }),
  );
});

test('refused by name: a working folder outside the worktree', () => {
  const at = project();
  expect(() => shellIn(at, 'true', { cwd: at.home })).toThrow(
    expect.objectContaining({ code: 'SANDBOX_ACCESS', message: expect.stringContaining(at.home) }),
  );
});

test('names of paths can not write to the terminal', () => {
  const at = project();
  expect(() => shellIn(at, 'true', { access: { read: ['/\u001b[2Jgone'] } })).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('\u001b') }),
  );
});

test('read paths are readable at their own place, over symlinks too, and not writable', () => {
  const at = project();
  const tools = made(join(at.folder, 'lib ö'));
  writeFileSync(join(tools, 'data'), 'shared');
  symlinkSync('lib ö', join(at.folder, 'current'));
  const given = join(at.folder, 'current');
  const { stdout, stderr } = shellIn(at, `cat '${given}/data'; echo x > '${given}/data'`, {
    access: { read: [given] },
  });
  expect(stdout).toBe('shared');
  expect(stderr).toContain('Read-only file system');
});

test('a worktree below a symlinked folder works at both paths', () => {
  const at = project();
  symlinkSync('trees', join(at.folder, 'alias'));
  const worktree = join(at.folder, 'alias/T 1');
  const { status, stderr } = shellIn(at, `echo 1 > '${worktree}/made' && git status --porcelain`, {
    access: { worktree },
    cwd: worktree,
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

test('the command starts in the folder of the worktree that it names', () => {
  const at = project();
  const cwd = inside(at);
  expect(runIn(at, { file: '/bin/pwd', cwd }).stdout).toBe(`${cwd}\n`);
});
