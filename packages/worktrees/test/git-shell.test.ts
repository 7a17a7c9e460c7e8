import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { gitOnDesk } from '../src/git/git.ts';
import { type Command, gitShells, type ShellCall } from '../src/git/git-shell.ts';
import { clone, git, scratch } from './scratch.ts';

const PATH = process.env['PATH'] ?? '';
const WAIT = { timeout: 50_000, interval: 20 };

/** A clone, and shells for it whose git is this script, or git itself. */
function desk({ script, dir = clone() }: { script?: string; dir?: string } = {}) {
  if (script !== undefined) {
    const bin = scratch();
    writeFileSync(join(bin, 'git'), `#!/bin/sh\n${script}`, { mode: 0o755 });
    process.env['PATH'] = `${bin}:${PATH}`;
    onTestFinished(() => {
      process.env['PATH'] = PATH;
    });
  }
  const index = join(scratch(), 'index');
  const gitDir = join(dir, '.git');
  execFileSync('cp', [join(gitDir, 'index'), index]);
  const shells = gitShells({ gitDir, workTree: dir });
  onTestFinished(() => shells.rest());
  const call = (commands: readonly Command[], more: Partial<ShellCall> = {}): ShellCall => ({
    ...{ workTree: dir, index, commands },
    ...{ timeoutMs: 20_000, longestOutput: 1_000_000 },
    ...more,
  });
  const kept = gitOnDesk({ gitDir, workTree: dir, index }, shells);
  return { dir, index, shells, call, kept, plain: gitOnDesk({ gitDir, workTree: dir, index }) };
}

const LIST: Command = ['ls-files', '-z', '--stage'];

it('gives back what git printed to the byte, one command after the other, with what it said is wrong', async () => {
  const { shells, call, dir } = desk();
  const tree = Buffer.from(`${git(dir, 'ls-files', '-z', '--stage')}`);
  const end = await shells.run(
    call([LIST, ['write-tree'], ['ls-files', '--nothing-like-it'], LIST]),
  );
  expect(end?.exitCode).toBe(129);
  expect(end?.stdout.toString()).toBe(`${tree}${git(dir, 'rev-parse', 'HEAD^{tree}')}\n`);
  expect(end?.stderr.toString()).toMatch(/nothing-like-it/);
});

it('reads its input from bytes', async () => {
  const { shells, call, dir } = desk();
  for (const name of ['new $(touch x)\n`touch y`', 'b'])
    writeFileSync(join(dir, name), 'content\n');
  const input = Buffer.from('new $(touch x)\n`touch y`\0b\0');
  const commands: Command[] = [
    ['update-index', '--add', '-z', '--stdin'],
    ['ls-files', '-z'],
  ];
  const end = await shells.run(call([commands[0] ?? LIST], { input }));
  expect(end).toMatchObject({ exitCode: 0 });
  const listed = await shells.run(call([commands[1] ?? LIST]));
  expect(listed?.stdout.toString()).toBe('b\0f.txt\0new $(touch x)\n`touch y`\0');
  expect(readdirSync(dir)).not.toContain('x');
});

it('a path is a path: nothing in it is read as shell', async () => {
  const name = `a b$(touch x)'"\`touch y\` ; touch z * \\n~`;
  const dir = clone(join(scratch(), name));
  const { shells, call } = desk({ dir });
  const end = await shells.run(call([LIST]));
  expect(end).toMatchObject({ exitCode: 0 });
  expect(end?.stdout.toString()).toContain('\tf.txt\0');
  for (const made of ['x', 'y', 'z']) expect(existsSync(join(dir, made))).toBe(false);
});

it.each([['a;b'], ['$x'], ['*'], ['a b'], ['a\nb'], ['']])(
  'takes plain words only: %j is for a start of its own',
  async (word) => {
    const { shells, call } = desk({ script: 'touch "$0.ran"' });
    expect(await shells.run(call([['ls-files', word]]))).toBeUndefined();
  },
);

it.each(['new\nline', 'umlaut ä'])(
  'takes paths only that every shell reads alike: %j is for a start of its own',
  async (name) => {
    const dir = clone(join(scratch(), name));
    const { shells, call, kept } = desk({ dir });
    expect(await shells.run(call([LIST]))).toBeUndefined();
    expect((await kept.one(LIST)).text).toContain('f.txt');
    expect((await kept.inTurn([['write-tree']])).text).toBe(git(dir, 'rev-parse', 'HEAD^{tree}'));
  },
);

it('what takes too long is ended, and git with it', async () => {
  const pidFile = join(scratch(), 'pid');
  const { shells, call } = desk({ script: `echo $$ >'${pidFile}'; exec sleep 60` });
  expect(await shells.run(call([LIST], { timeoutMs: 1_000 }))).toMatchObject({ cut: 'time' });
  const pid = readFileSync(pidFile, 'utf8').trim();
  await vi.waitUntil(() => isOver(pid), WAIT);
});

const isOver = (pid: string): boolean => {
  try {
    return / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return true;
  }
};

it('what prints more than its limit is ended', async () => {
  const { shells, call } = desk({ script: 'while :; do echo more; done' });
  expect(await shells.run(call([LIST], { longestOutput: 1_000 }))).toMatchObject({ cut: 'output' });
});

it('input that can not be laid out in a file goes with a start from here', async () => {
  const { dir, index, shells, call, kept } = desk();
  mkdirSync(`${index}.input`);
  writeFileSync(join(dir, 'new.txt'), 'new');
  const commands: Command = ['update-index', '--add', '-z', '--stdin'];
  const input = Buffer.from('new.txt\0');
  expect(await shells.run(call([commands], { input }))).toBeUndefined();
  await kept.one(commands, { input });
  expect((await kept.one(['ls-files'])).text).toBe('f.txt\nnew.txt');
});

it('what says without end what is wrong is not held: it is for a start from here, which ends it', async () => {
  const { shells, call } = desk({ script: `head -c 300000000 /dev/zero | tr '\\0' x >&2` });
  expect(await shells.run(call([LIST]))).toBeUndefined();
  const { shells: others, call: of } = desk({
    script: `head -c 2000000 /dev/zero | tr '\\0' x >&2`,
  });
  expect(await others.run(of([LIST], { longestOutput: 10_000_000 }))).toBeUndefined();
});

it('the memory of the shell is bounded, not that of git', async () => {
  const limit = execFileSync('sh', ['-c', 'ulimit -S -v'], { encoding: 'utf8' });
  const { shells, call } = desk({ script: 'ulimit -S -v' });
  expect(String((await shells.run(call([LIST])))?.stdout)).toBe(limit);
});

it('many at once have an answer each', async () => {
  const { shells, call } = desk({ script: 'for last; do :; done; echo "$last"; exit 3' });
  const words = Array.from({ length: 40 }, (_, at) => `word-${at}`);
  const ends = await Promise.all(words.map((word) => shells.run(call([['x', word]]))));
  expect(ends.map((end) => end?.stdout.toString())).toEqual(words.map((word) => `${word}\n`));
  expect(new Set(ends.map((end) => end?.exitCode))).toEqual(new Set([3]));
});

it('where a shell is gone, git is started from here', async () => {
  const { dir, kept } = desk();
  const parent = desk({ dir, script: 'kill -9 $PPID; kill -9 $$' });
  expect(await parent.shells.run(parent.call([LIST]))).toBeUndefined();
  process.env['PATH'] = PATH;
  expect((await kept.one(LIST)).text).toContain('f.txt');
});

it('says the same as a start from here where the folder or git is not there', async () => {
  const { dir, kept, plain } = desk();
  const whyOf = async (deed: Promise<unknown>) =>
    deed.then(
      () => 'nothing',
      (error: Error & { code?: string }) => `${error.code}: ${error.message}`,
    );
  const unknown = await whyOf(kept.one(['no-such-command']));
  expect(unknown).toBe(await whyOf(plain.one(['no-such-command'])));
  rmSync(dir, { recursive: true });
  const gone = await whyOf(kept.one(LIST));
  expect(gone).toBe(await whyOf(plain.one(LIST)));
  expect(gone).toMatch(/^GIT_FAILED: git ls-files did not run to its end/);
});
