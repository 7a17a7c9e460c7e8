import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Confinement } from '../src/confinement.ts';
import { seatbelt } from '../src/seatbelt.ts';
import { seatbeltProfile } from '../src/seatbelt-profile.ts';
import { folder, project } from './project.ts';

const CONFINEMENT: Confinement = {
  command: { file: '/usr/bin/true', args: [], cwd: '/Users/u/trees/T 1', env: {} },
  cwd: '/Users/u/trees/T 1',
  worktree: '/Users/u/trees/T 1',
  readOnly: false,
  frozen: [],
  home: '/private/var/folders/zz/home ä',
  read: ['/opt/homebrew/Cellar/tool/1.0', '/Users/u/.nvm/versions/node/v20'],
  write: ['/private/var/folders/zz/replies'],
  git: {
    pointer: '/Users/u/trees/T 1/.git',
    common: '/Users/u/my "repo"/.git',
    journal: '/Users/u/my "repo"/.git/atelier',
  },
  links: [{ at: '/opt/homebrew/bin/tool', to: '../Cellar/tool/1.0/bin/tool' }],
  sockets: [
    { outside: '/private/var/folders/zz/api.sock', inside: '/private/var/folders/zz/api.sock' },
  ],
};

test('the profile of a linked worktree', async () => {
  await expect(seatbeltProfile(CONFINEMENT)).toMatchFileSnapshot('fixtures/worktree.sb.golden');
});

test('the profile of a clone without run data, sockets or links', async () => {
  const git = { pointer: '/Users/u/r/.git', common: '/Users/u/r/.git', journal: undefined };
  const clone = { ...CONFINEMENT, worktree: '/Users/u/r', git, sockets: [], links: [], write: [] };
  await expect(seatbeltProfile(clone)).toMatchFileSnapshot('fixtures/clone.sb.golden');
});

test('the profile of a worktree with frozen paths, of which the folders above keep their names', async () => {
  const frozen = ['node_modules', 'packages/a/vendor'].map(
    (path) => `${CONFINEMENT.worktree}/${path}`,
  );
  const profile = seatbeltProfile({ ...CONFINEMENT, frozen });
  await expect(profile).toMatchFileSnapshot('fixtures/frozen.sb.golden');
});

test('the profile of a worktree that is read-only', async () => {
  const profile = seatbeltProfile({ ...CONFINEMENT, readOnly: true });
  await expect(profile).toMatchFileSnapshot('fixtures/read-only.sb.golden');
});

test('a folder of sockets is opened as a whole', () => {
  const folder = '/private/var/folders/zz/api';
  const sockets = [{ outside: folder, inside: folder, isFolder: true }] as const;
  const profile = seatbeltProfile({ ...CONFINEMENT, sockets });
  expect(profile).toContain(`(allow network-outbound (remote unix-socket (subpath "${folder}")))`);
  expect(profile).toContain(`(allow file-read* file-write-data\n  (subpath "${folder}"))`);
});

test('a path can not leave its string in the profile', () => {
  const read = ['/a") (allow default) ("', '/b\\'];
  const profile = seatbeltProfile({ ...CONFINEMENT, read });
  expect(profile).toContain('(subpath "/a\\") (allow default) (\\"")');
  expect(profile).toContain('(subpath "/b\\\\")');
  expect(() => seatbeltProfile({ ...CONFINEMENT, read: ['/a\nb'] })).toThrow(
    expect.objectContaining({ code: 'SANDBOX_ACCESS' }),
  );
});

function stub(script: string): string {
  const program = join(folder(), 'sandbox-exec');
  writeFileSync(program, `#!/bin/sh\n${script}\n`);
  chmodSync(program, 0o755);
  return program;
}

test('the call: the profile as an argument, HOME and TMPDIR in the private HOME, the command last', () => {
  const at = project();
  const program = stub('exit 0');
  const wrapped = seatbelt({ program }).wrap(
    {
      file: '/bin/sh',
      args: ['-c', 'echo "$1"', 'x'],
      cwd: at.worktree,
      env: { A: '1', HOME: '/' },
    },
    at.access,
  );
  expect(wrapped.file).toBe(program);
  expect(wrapped.args.slice(0, 1)).toEqual(['-p']);
  expect(wrapped.args.slice(2)).toEqual(['/bin/sh', '-c', 'echo "$1"', 'x']);
  expect(wrapped.env).toEqual({ A: '1', HOME: at.home, TMPDIR: at.home });
  expect(wrapped.cwd).toBe(at.worktree);
});

test('a socket that would have to move is refused', async () => {
  const at = project();
  const outside = join(at.folder, 'a.sock');
  const server = createServer();
  await once(server.listen(outside), 'listening');
  onTestFinished(() => void server.close());
  const box = seatbelt({ program: stub('exit 0') });
  const command = { file: '/bin/sh', args: [], cwd: at.worktree, env: {} };
  const sockets = [{ outside, inside: '/run/api.sock' }];
  expect(() => box.wrap(command, { ...at.access, sockets })).toThrow(
    expect.objectContaining({
      code: 'SANDBOX_ACCESS',
      message: expect.stringContaining('/run/api.sock'),
    }),
  );
});

test('a sandbox-exec that builds no walls does not pass', async () => {
  const test = await seatbelt({ program: stub('shift 2; exec "$@"') }).selfTest();
  expect(test.passed).toBe(false);
  expect(test.kind).toBe('seatbelt');
  const fallen = test.probes.filter(({ held }) => !held).map(({ name }) => name);
  expect(fallen).toEqual(
    expect.arrayContaining(['write-outside', 'read-secret', 'git-pointer', 'network']),
  );
});

test('without sandbox-exec: refused', () => {
  expect(() => seatbelt({ program: '/nowhere/sandbox-exec' })).toThrow(
    expect.objectContaining({ code: 'SANDBOX_UNAVAILABLE' }),
  );
});
