import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readEnvironment } from '../environment.ts';
import type { Streams } from '../streams.ts';
import { plan } from './plan.ts';

let folder = '';

const git = (...args: string[]) =>
  execFileSync('git', [
    '-C',
    join(folder, 'tea'),
    '-c',
    'user.name=t',
    '-c',
    'user.email=t@t',
    ...args,
  ]);

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'atelier-preview-')));
  mkdirSync(join(folder, 'elsewhere'));
  execFileSync('git', ['init', '--quiet', '--initial-branch=main', join(folder, 'tea')]);
  writeFileSync(join(folder, 'tea/there.md'), 'x');
  symlinkSync('..', join(folder, 'tea/up'));
  git('add', '--all');
  git('commit', '--quiet', '-m', 'begin');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function preview(tasks: readonly object[], words: readonly string[] = [], keys: object = {}) {
  const rows = tasks.map((task, at) => ({
    ...{ id: `t${at}`, parallel_group: 1, title: 'T', description: 'd', writes: [] },
    ...task,
  }));
  const file = join(folder, 'plan.json');
  writeFileSync(file, JSON.stringify({ goal: 'g', ...keys, tasks: rows }));
  const said = { stdout: '', stderr: '' };
  const into = (name: keyof typeof said) => ({ write: (text: string) => (said[name] += text) });
  const streams = { stdout: into('stdout'), stderr: into('stderr') } as unknown as Streams;
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder };
  const environment = readEnvironment(env, join(folder, 'elsewhere'));
  const code = await plan.run([file, ...words], streams, environment);
  return { code, ...said };
}

const schema = JSON.parse(
  readFileSync(
    createRequire(import.meta.url).resolve('@atelier/reporters/preview.schema.json'),
    'utf8',
  ),
);

/** The answer for programs, which has no key that the published schema does not name. */
async function json(tasks: readonly object[], words: readonly string[] = [], keys: object = {}) {
  const answer = JSON.parse((await preview(tasks, ['--json', ...words], keys)).stdout);
  const matches = new Ajv2020({ allowUnionTypes: true }).compile(schema);
  expect([matches(answer), matches.errors]).toEqual([true, null]);
  const known = Object.keys(schema.$defs.preview.properties);
  expect(Object.keys(answer).filter((key) => !known.includes(key))).toEqual([]);
  return answer;
}

const inTea = () => ['--repo', join(folder, 'tea')];

test('--repo names the files that a plan is held against, without --replay, too', async () => {
  expect((await preview([{ reads: ['there.md'] }], inTea())).code).toBe(0);
  expect(await preview([{ reads: ['gone.md'] }], inTea())).toMatchObject({
    ...{ code: 2, stderr: expect.stringContaining('"gone.md"') },
  });
});

test('below a plain file nothing is there; below a link there may be anything', async () => {
  expect((await preview([{ reads: ['up/x'] }], inTea())).code).toBe(0);
  expect((await preview([{ reads: ['there.md/x'] }], inTea())).code).toBe(2);
});

test('where there is no commit it is said that reads were not checked', async () => {
  const { code, stdout } = await preview([{ reads: ['gone.md'] }]);
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining('\nReads were not checked: no commit'),
  ]);
  const told = async (words: readonly string[], task: object) =>
    (await json([task], words)).unchecked;
  expect(await told([], { reads: ['gone.md'] })).toEqual(['reads']);
  expect(await told([], { reads: [] })).toBeUndefined();
  expect(await told(inTea(), { reads: ['there.md'] })).toBeUndefined();
});

test('what the plan has executed and brought along is told', async () => {
  const keys = { gate: 'make', worktree: { copy: ['.env'], setup: ['npm ci'] } };
  const { stdout } = await preview([{ verify: 'true' }], [], keys);
  expect(stdout).toContain(
    '\nCommands:\n- gate: make\n- setup: npm ci\n- verify of 1 task (t0): true\n\nCopied into worktrees:\n- .env\n',
  );
  expect(await json([{ verify: 'true' }], [], keys)).toMatchObject({
    commands: [{ kind: 'gate' }, { kind: 'setup' }, { kind: 'verify', tasks: ['t0'] }],
    worktree: { copy: ['.env'], link: [] },
  });
});

test('where the files of the clone know no case, names that differ in it alone are one', async () => {
  const tasks = [{ writes: ['src/A.ts'] }, { writes: ['src/a.ts'] }];
  expect((await preview(tasks, inTea())).code).toBe(0);
  git('config', 'core.ignorecase', 'true');
  expect(await preview(tasks, inTea())).toMatchObject({
    ...{ code: 2, stderr: expect.stringContaining('"src/A.ts"') },
  });
});
