import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { allGone } from '../src/self-test/survivors.ts';
import { project, runIn, sandbox, shellIn } from './project.ts';

test('only the worktree and HOME arrive on the host', () => {
  const at = project();
  const { status, stderr } = shellIn(
    at,
    'echo 1 > made; echo 2 > "$HOME/made"; echo 3 > /tmp/made',
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(readFileSync(join(at.worktree, 'made'), 'utf8')).toBe('1\n');
  expect(readFileSync(join(at.home, 'made'), 'utf8')).toBe('2\n');
  expect(existsSync('/tmp/made')).toBe(false);
});

test('a write outside fails, and is not swallowed by a copy that nobody sees', () => {
  const at = project();
  writeFileSync(join(at.folder, 'beside'), 'kept');
  for (const path of [join(at.folder, 'beside'), join(at.folder, 'new'), '/usr/made', '/made'])
    expect(shellIn(at, `echo x > '${path}'`).stderr).toContain('Read-only file system');
  expect(readFileSync(join(at.folder, 'beside'), 'utf8')).toBe('kept');
  expect(existsSync(join(at.folder, 'new'))).toBe(false);
});

test('the root has nothing of the host but programs, libraries and certificates', () => {
  const at = project();
  const { stdout } = shellIn(at, 'ls / /etc; id -u; id -g; cat /proc/self/status');
  const [root = [], etc = []] = stdout.split('\n\n').map((part) => part.split('\n').slice(1));
  const rooted = ['bin', 'dev', 'etc', 'home', 'lib', 'lib32', 'lib64', 'libx32', 'proc', 'run'];
  expect(root.filter((name) => ![...rooted, 'sbin', 'tmp', 'usr', 'var'].includes(name))).toEqual(
    [],
  );
  expect(etc.slice(0, etc.indexOf('1000'))).toEqual(
    expect.not.arrayContaining(['passwd', 'shadow', 'resolv.conf', 'hostname']),
  );
  expect(stdout).toContain('1000\n1000\n');
  expect(stdout).toMatch(/CapEff:\s*0+\n/u);
});

test('secrets can not be read: HOME of the user, private keys, environments of the host', () => {
  const at = project();
  writeFileSync(join(at.folder, 'secret'), 'hunter2');
  const line = `cat '${join(at.folder, 'secret')}'; ls -A '${homedir()}' /root /etc/ssl/private`;
  const { stdout, status } = shellIn(at, line);
  expect(status).not.toBe(0);
  expect(stdout).toBe('');
});

test('the environment is the one of the command, for every process inside', () => {
  const at = project();
  const wrapped = sandbox.wrap(
    { file: '/usr/bin/env', args: [], cwd: at.worktree, env: { A: "b $(c) 'd'", HOME: '/root' } },
    at.access,
  );
  expect(wrapped.env).toEqual({});
  const seen = runIn(at, { file: '/usr/bin/env', env: { A: "b $(c) 'd'", HOME: '/root' } });
  expect(seen.stdout.trim().split('\n').sort()).toEqual([
    "A=b $(c) 'd'",
    'HOME=/home/agent',
    expect.stringMatching(/^PWD=/u),
  ]);
  // Even by a spawner that adds its own, which the first process inside would carry along.
  const script = sandbox.wrap(
    { file: '/bin/sh', args: ['-c', 'cat /proc/[0-9]*/environ'], cwd: at.worktree, env: {} },
    at.access,
  );
  const child = spawn(script.file, script.args, { env: { TOKEN: 'hunter2' }, cwd: script.cwd });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  return once(child, 'close').then(() => {
    expect(output).toContain('HOME=/home/agent');
    expect(output).not.toContain('hunter2');
  });
});

test('root gets no mount back: remount, /proc/sys, user namespaces', () => {
  const at = project();
  for (const line of [
    'mount -o remount,bind,rw /usr',
    `mount -o remount,bind,rw '${at.repo}/.git'`,
    ': >> /proc/sys/kernel/core_pattern',
    'unshare -Ur true',
  ])
    expect(shellIn(at, line).status, line).not.toBe(0);
});

test('no network, and of the sockets only the bound ones', async () => {
  const at = project();
  const heard: string[] = [];
  const listen = async (path: string) => {
    const server = createServer((socket) => {
      heard.push(path);
      socket.end('hello');
    });
    await once(server.listen(path), 'listening');
    onTestFinished(() => void server.close());
  };
  const [bound, other] = [join(at.folder, 'a.sock'), join(at.folder, 'b.sock')];
  await Promise.all([bound, other].map(listen));
  const tcp = createServer(() => heard.push('tcp'));
  await once(tcp.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void tcp.close());
  const { port } = tcp.address() as AddressInfo;
  const client = `
    const reach = (to) => new Promise((done) => require('node:net').connect(to)
      .on('error', ({ code }) => done(code)).on('data', (data) => done(String(data))));
    Promise.all([reach('/run/api.sock'), reach(${JSON.stringify(other)}), reach({ host: '127.0.0.1', port: ${port} })]).then((all) => console.log(all.join()))`;
  const wrapped = sandbox.wrap(
    { file: process.execPath, args: ['-e', client], cwd: at.worktree, env: {} },
    { ...at.access, sockets: [{ outside: bound, inside: '/run/api.sock' }] },
  );
  const child = spawn(wrapped.file, wrapped.args, { env: wrapped.env, cwd: wrapped.cwd });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  await once(child, 'close');
  expect(output).toBe('hello,ENOENT,ECONNREFUSED\n');
  expect(heard).toEqual([bound]);
});

test('through a bound folder of sockets a socket of the same name is reached that is made later', async () => {
  const at = project();
  const sockets = join(at.folder, 'sockets');
  mkdirSync(sockets, { mode: 0o700 });
  const listen = async (word: string) => {
    const server = createServer((socket) => socket.end(word));
    await once(server.listen(join(sockets, 'api.sock')), 'listening');
    return server;
  };
  const first = await listen('first');
  // Asks again for as long as the first one answers, or nobody.
  const client = `
    const ask = () => require('node:net').connect('/run/api/api.sock')
      .on('error', () => setTimeout(ask, 10))
      .on('data', (word) => { console.log(String(word)); if (String(word) === 'first') setTimeout(ask, 10); });
    require('node:fs').writeFile('/run/api/mine', '', (error) => { console.log(error.code); ask(); });`;
  const wrapped = sandbox.wrap(
    { file: process.execPath, args: ['-e', client], cwd: at.worktree, env: {} },
    { ...at.access, sockets: [{ outside: sockets, inside: '/run/api' }] },
  );
  const child = spawn(wrapped.file, wrapped.args, { env: wrapped.env, cwd: wrapped.cwd });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const ended = once(child, 'close');
  await once(child.stdout, 'data');
  await once(child.stdout, 'data');
  await once(first.close(), 'close');
  const second = await listen('second');
  onTestFinished(() => void second.close());
  await ended;
  expect(output).toMatch(/^EROFS\n(?:first\n)+second\n$/u);
});

test('the end of the program is the end of everything that it left behind', async () => {
  const at = project();
  const marker = crypto.randomUUID();
  const left = `setsid sh -c 'echo > alive; while :; do sleep 0.2; done' ${marker} >/dev/null 2>&1 &
    until [ -e alive ]; do sleep 0.01; done; exit 9`;
  expect(shellIn(at, left).status).toBe(9);
  expect(await allGone(marker)).toBe(true);
});

test('exit statuses and signals come through unchanged', () => {
  const at = project();
  for (const status of [0, 1, 2, 42, 127, 255])
    expect(shellIn(at, `exit ${status}`).status).toBe(status);
  expect(shellIn(at, 'kill -TERM $$').status).toBe(143);
});

test('O-41: nothing stays in the worktree that the program did not make', () => {
  const at = project();
  mkdirSync(join(at.folder, 'replies'));
  const access = { write: [join(at.folder, 'replies')] };
  expect(shellIn(at, `echo ok > '${at.folder}/replies/r.json'`, { access }).status).toBe(0);
  expect(readFileSync(join(at.folder, 'replies/r.json'), 'utf8')).toBe('ok\n');
  expect(readdirSync(at.worktree).sort()).toEqual(['.git', 'f.txt']);
  expect(readdirSync(at.home)).toEqual([]);
  expect(at.git('-C', at.worktree, 'status', '--porcelain')).toBe('');
});
