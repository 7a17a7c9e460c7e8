import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { findProgram } from '../src/find-program.ts';
import { PATH, project, runIn, sandbox } from './project.ts';

test('O-43: a resolv.conf that leads nowhere does not matter: there is no network, and looking up says so at once', () => {
  const at = project();
  const lookUp = `require('node:dns').lookup('model.example.invalid', (e) => console.log(e.code))`;
  const wrapped = sandbox.wrap(
    { file: process.execPath, args: ['-e', lookUp], cwd: at.worktree, env: {} },
    at.access,
  );
  const bwrap = findProgram('bwrap', PATH) ?? '';
  const host = ['--dev-bind', '/', '/', '--tmpfs', '/etc'];
  const links = ['/run/nowhere/resolv.conf', '/mnt/wsl/resolv.conf'];
  for (const link of links) {
    const args = [...host, '--symlink', link, '/etc/resolv.conf', wrapped.file, ...wrapped.args];
    const { status, stdout, stderr } = spawnSync(bwrap, args, {
      encoding: 'utf8',
      timeout: 30_000,
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^(?:EAI_AGAIN|ENOTFOUND)\n$/u);
  }
});

test('programs inside reach one another at localhost, as a test suite of the project does', () => {
  const server = `require('node:http').createServer((_, answer) => answer.end('hello'))
    .listen(0, 'localhost', async function () {
      console.log(await (await fetch('http://localhost:' + this.address().port)).text());
      process.exit();
    })`;
  expect(runIn(project(), { file: process.execPath, args: ['-e', server] }).stdout).toBe('hello\n');
});
