import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { setupFailure } from '../src/setup-failure.ts';
import { folder, project, runIn } from './project.ts';

function program(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return path;
}

/** An interpreter of its own outside /usr. A `#!` line can not hold spaces. */
function interpreter(): string {
  const path = join(folder(), 'sh-1.0/bin/own-sh');
  mkdirSync(dirname(path), { recursive: true });
  copyFileSync(realpathSync('/bin/sh'), path);
  return path;
}

test('the running Node works inside, without being named', () => {
  const { stdout, stderr } = runIn(project(), { file: process.execPath, args: ['-p', '6 * 7'] });
  expect({ stdout, stderr }).toEqual({ stdout: '42\n', stderr: '' });
});

test('a program outside /usr runs with what lies beside it; spaces and umlauts are fine', () => {
  const at = project();
  const file = program(
    join(at.folder, 'my töols/run it'),
    '#!/bin/sh\ncat "$(dirname "$0")/data"; echo "$1"\n',
  );
  writeFileSync(join(at.folder, 'my töols/data'), 'beside ');
  expect(runIn(at, { file, args: ['ä b; $(id)'] }).stdout).toBe('beside ä b; $(id)\n');
});

test('a program in a prefix sees the lib of its prefix, and not the folder above', () => {
  const at = project();
  writeFileSync(join(at.folder, 'private'), 'hunter2');
  mkdirSync(join(at.folder, 'tool/lib'), { recursive: true });
  writeFileSync(join(at.folder, 'tool/lib/part'), 'part');
  const file = program(
    join(at.folder, 'tool/bin/tool'),
    '#!/bin/sh\ncd "$(dirname "$0")/.."; cat lib/part; cat ../private\n',
  );
  expect(runIn(at, { file }).stdout).toBe('part');
});

test('an interpreter outside /usr is found by the #! line and bound', () => {
  const at = project();
  const file = program(join(at.folder, 'a/run'), `#!${interpreter()}\necho ran\n`);
  expect(runIn(at, { file }).stdout).toBe('ran\n');
});

test('env in the #! line is looked up on the PATH that the command gets', () => {
  const at = project();
  const own = interpreter();
  const env = { PATH: `${dirname(own)}:/usr/bin` };
  for (const line of ['#!/usr/bin/env own-sh', '#!/usr/bin/env -S A=1 own-sh -e']) {
    const file = program(join(at.folder, 'b/run'), `${line}\necho ran\n`);
    expect(runIn(at, { file, env }).stdout).toBe('ran\n');
  }
  const missing = program(join(at.folder, 'b/run'), '#!/usr/bin/env own-sh\n');
  expect(() => runIn(at, { file: missing, env: { PATH: '/usr/bin' } })).toThrow(
    expect.objectContaining({
      code: 'SANDBOX_PROGRAM',
      message: expect.stringContaining('own-sh'),
    }),
  );
});

test('a script whose interpreter is a script whose interpreter lies elsewhere', () => {
  const at = project();
  const middle = program(
    join(folder(), 'mid/bin/middle'),
    `#!${interpreter()}\necho "middle of $1"\n`,
  );
  const file = program(join(at.folder, 'c/run'), `#!${middle}\n`);
  expect(runIn(at, { file }).stdout).toBe(`middle of ${file}\n`);
});

test('a symlinked program works under the name it was given by', () => {
  const at = project();
  program(join(at.folder, 'v2/run'), '#!/bin/sh\necho "as $0"\n');
  symlinkSync('v2', join(at.folder, 'current'));
  mkdirSync(join(at.folder, 'links'));
  symlinkSync('../current/run', join(at.folder, 'links/tool'));
  const file = join(at.folder, 'links/tool');
  expect(runIn(at, { file }).stdout).toBe(`as ${file}\n`);
});

test('a Node program sees the whole tree of node_modules it was installed in, and the type of its package', () => {
  const at = project();
  const modules = join(at.folder, 'lib/node_modules');
  const file = program(
    join(modules, 'cli/dist/cli.js'),
    '#!/usr/bin/env node\nimport dep from "dep";\nconsole.log(dep);\n',
  );
  writeFileSync(join(modules, 'cli/package.json'), '{"type":"module"}');
  mkdirSync(join(modules, 'dep'));
  writeFileSync(join(modules, 'dep/index.js'), 'module.exports = "from dep";\n');
  const env = { PATH: `${dirname(process.execPath)}:/usr/bin` };
  const { stdout, stderr } = runIn(at, { file, env });
  expect({ stdout, stderr }).toEqual({ stdout: 'from dep\n', stderr: '' });
});

test('a program beside private things is bound alone', () => {
  const at = project();
  const file = program(join(at.folder, 'run'), '#!/bin/sh\nls -A "$(dirname "$0")"\n');
  const names = runIn(at, { file }).stdout.split('\n');
  expect(names).toContain('run');
  expect(names).not.toContain('homes');
});

test.each(['/nowhere/at/all', '/usr', 'sh'])('refused by name: the program %s', (file) => {
  const at = project();
  expect(() => runIn(at, { file })).toThrow(
    expect.objectContaining({
      code: 'SANDBOX_PROGRAM',
      message: expect.stringContaining(`"${file}"`),
    }),
  );
});

test('a loader that misses a library inside ends in a sentence with the way out, which works', () => {
  const at = project();
  const lib = folder();
  const own = join(folder(), 'app');
  mkdirSync(own);
  writeFileSync(join(lib, 'part.cc'), 'int part() { return 7; }');
  writeFileSync(join(own, 'main.cc'), 'int part(); int main() { return part(); }');
  const build = (...args: readonly string[]) => execFileSync('g++', args, { stdio: 'pipe' });
  build('-shared', '-fPIC', '-o', join(lib, 'libpart.so'), join(lib, 'part.cc'));
  const file = join(own, 'main');
  build('-o', file, join(own, 'main.cc'), join(lib, 'libpart.so'), `-Wl,-rpath,${lib}`);
  const { status, stderr } = runIn(at, { file });
  expect(status).toBe(127);
  expect(setupFailure(status, stderr)).toMatch(/libpart\.so.*sandbox\.read/u);
  expect(runIn(at, { file, access: { read: [lib] } }).status).toBe(7);
});
