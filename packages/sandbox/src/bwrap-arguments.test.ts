import { expect, test } from 'vitest';
import { bwrapArguments } from './bwrap-arguments.ts';
import type { Confinement } from './confinement.ts';
import { systemMounts } from './system-mounts.ts';

const CONFINEMENT: Confinement = {
  command: { file: '/bin/agent', args: ['-p', '--', '--bind'], cwd: '/w', env: { A: '--dev' } },
  cwd: '/w',
  worktree: '/w',
  readOnly: false,
  frozen: ['/w/deps'],
  home: '/h',
  read: ['/opt/tool'],
  write: ['/out'],
  git: { pointer: '/w/.git', common: '/r/.git', journal: '/r/.git/atelier' },
  links: [],
  sockets: [],
};

const at = (args: readonly string[], ...words: readonly string[]): number =>
  args.findIndex((_, index) => words.every((word, offset) => args[index + offset] === word));

const BWRAP = { program: '/usr/bin/bwrap', system: systemMounts(), nestable: false };

test('what closes something comes after what opens the folder it is in', () => {
  const args = bwrapArguments(CONFINEMENT, BWRAP);
  const order = [
    at(args, '--ro-bind', '/usr', '/usr'),
    at(args, '--proc', '/proc'),
    at(args, '--bind', '/w', '/w'),
    at(args, '--ro-bind', '/w/deps', '/w/deps'),
    at(args, '--ro-bind', '/r/.git', '/r/.git'),
    at(args, '--ro-bind', '/w/.git', '/w/.git'),
    at(args, '--tmpfs', '/r/.git/atelier'),
    at(args, '--remount-ro', '/'),
    at(args, '--', '/run/bwrap'),
    at(args, '--ro-bind-try', '/proc/sys', '/proc/sys'),
    at(args, '--', '/bin/agent'),
  ];
  expect(order).not.toContain(-1);
  expect(order).toEqual(order.toSorted((one, other) => one - other));
});

test('the arguments end with the command as it was given', () => {
  const args = bwrapArguments(CONFINEMENT, BWRAP);
  expect(args.slice(-5)).toEqual(['--', '/bin/agent', '-p', '--', '--bind']);
});

test('of /etc nothing but what loaders and TLS read: no keys, no accounts, no resolver', () => {
  const args = bwrapArguments(CONFINEMENT, BWRAP);
  const etc = args.filter((word) => word.startsWith('/etc'));
  expect(etc).toContain('/etc/ssl/certs');
  for (const path of [
    '/etc',
    '/etc/ssl',
    '/etc/pki',
    '/etc/pki/tls',
    '/etc/resolv.conf',
    '/etc/passwd',
  ])
    expect(etc).not.toContain(path);
});

test('namespaces may be made inside only when the agent needs them', () => {
  expect(bwrapArguments(CONFINEMENT, BWRAP)).toContain('--disable-userns');
  expect(bwrapArguments(CONFINEMENT, { ...BWRAP, nestable: true })).not.toContain(
    '--disable-userns',
  );
});

test('HOME has one name, and another one where the host lives at that', () => {
  const homeOf = (more: Partial<Confinement>) => {
    const args = bwrapArguments({ ...CONFINEMENT, ...more }, BWRAP);
    return args[at(args, '--bind', '/h') + 2];
  };
  expect(homeOf({})).toBe('/home/agent');
  expect(homeOf({ read: ['/home/agent/.nvm'] })).toBe('/home/atelier-agent');
});
