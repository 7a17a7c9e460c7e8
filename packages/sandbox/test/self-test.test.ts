import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { bubblewrap } from '../src/bubblewrap.ts';
import { describeRefusal } from '../src/describe-refusal.ts';
import type { SelfTest } from '../src/sandbox.ts';
import { folder } from './project.ts';
import { bwrapWithout, stubBwrap } from './stub-bwrap.ts';

const fallen = ({ probes }: SelfTest) => probes.filter(({ held }) => !held).map(({ name }) => name);

afterEach(() => vi.unstubAllEnvs());

test('the walls hold on this host, and nothing is left of the test', async () => {
  // Of its own: others put their walls to the test in the one of the machine.
  const scenes = mkdtempSync(join(tmpdir(), 'self-test-'));
  onTestFinished(() => rmSync(scenes, { recursive: true, force: true }));
  vi.stubEnv('TMPDIR', scenes);
  const test = await bubblewrap().selfTest();
  expect(fallen(test)).toEqual([]);
  expect(test).toMatchObject({ passed: true, pid: process.pid, kind: 'bwrap' });
  expect(test.probes.length).toBeGreaterThan(20);
  expect(readdirSync(scenes)).toEqual([]);
});

test('an attestation is the test of that very object, made once, and can not be edited', async () => {
  const [one, other] = [bubblewrap(), bubblewrap()];
  expect(one.attestation()).toBeUndefined();
  const running = one.selfTest();
  expect(one.selfTest()).toBe(running);
  const test = await running;
  expect(one.attestation()).toBe(test);
  expect(other.attestation()).toBeUndefined();
  expect(Object.isFrozen(one) && Object.isFrozen(test) && Object.isFrozen(test.probes)).toBe(true);
  expect(test.probes.every((probe) => Object.isFrozen(probe))).toBe(true);
});

test('an agent that sandboxes itself may make namespaces, and they gain it nothing', async () => {
  const test = await bubblewrap({ nestable: true }).selfTest();
  expect(fallen(test)).toEqual([]);
});

const ROOT = process.getuid?.() === 0;

const MUTANTS: readonly (readonly [string, () => string, readonly string[]])[] = [
  [
    'without a user namespace, root stays root',
    () =>
      bwrapWithout(
        ['"--unshare-user --uid "*', 1],
        ['"--uid "*|"--gid "*', 2],
        ['--disable-userns*', 1],
      ),
    ROOT ? ['remount', 'user-namespaces'] : [],
  ],
  [
    'with a user namespace but as uid 0, root stays root inside',
    () => bwrapWithout(['"--uid "*|"--gid "*', 2], ['--disable-userns*', 1]),
    ROOT ? ['remount', 'user-namespaces'] : [],
  ],
  [
    'without a pointer that is read-only',
    () => bwrapWithout(['"--ro-bind "*"work tree/.git "*', 3]),
    ['git-pointer'],
  ],
  [
    'without a frozen path that is read-only',
    () => bwrapWithout(['"--ro-bind "*"work tree/deps "*', 3]),
    ['frozen'],
  ],
  [
    'without a network namespace',
    () => bwrapWithout(['--unshare-net*', 1]),
    ['network', 'abstract-socket'],
  ],
  [
    'without a process namespace',
    () => bwrapWithout(['--unshare-pid*', 1]),
    ['signal-host', 'see-processes', 'survive-the-end', 'survive-the-supervisor'],
  ],
  [
    'without a mask over the run data',
    () => bwrapWithout(['"--tmpfs "*/atelier*', 2]),
    ['journal-hidden'],
  ],
  [
    'without a frozen kernel',
    () => bwrapWithout(['"--ro-bind-try /proc/"*', 3]),
    ROOT ? ['kernel-settings'] : [],
  ],
  ['without --disable-userns', () => bwrapWithout(['--disable-userns*', 1]), ['user-namespaces']],
];

test.each(MUTANTS)('%s: not passed', async (_, path, names) => {
  const test = await bubblewrap({ path: path() }).selfTest();
  expect(fallen(test)).toEqual(expect.arrayContaining([...names]));
  expect(test.passed).toBe(names.length === 0);
});

test('a bwrap that builds no walls at all: not passed, and the canaries are gone again', async () => {
  const path = stubBwrap(
    'while [ "$1" != -- ]; do case $1 in --setenv) export "$2=$3";; esac; shift; done; shift; exec "$@"',
  );
  const test = await bubblewrap({ path }).selfTest();
  expect(test.passed).toBe(false);
  expect(fallen(test)).toEqual(
    expect.arrayContaining([
      'read-secret',
      'read-real-home',
      'write-outside',
      'network',
      'git-pointer',
      'frozen',
      'read-only',
      'survive-the-end',
    ]),
  );
  for (const at of ['/usr', '/etc', '/'])
    expect(readdirSync(at).filter((name) => name.startsWith('atelier-canary'))).toEqual([]);
});

test.each([
  ['bwrap: setting up uid map: Permission denied', 'kernel.apparmor_restrict_unprivileged_userns'],
  ["bwrap: Can't mount proc on /newroot/proc: Operation not permitted", 'systempaths=unconfined'],
])('O-39: %s: not passed, with cause and fix', async (message, fix) => {
  const test = await bubblewrap({ path: stubBwrap(`echo "${message}" >&2; exit 1`) }).selfTest();
  expect(test.passed).toBe(false);
  expect(test.probes[0]).toMatchObject({ name: 'runs-program', held: false });
  expect(describeRefusal(test)).toContain(message);
  expect(describeRefusal(test)).toContain(fix);
  expect(test.probes.filter(({ held }) => held).map(({ name }) => name)).toEqual([]);
});

test('O-39: a bwrap that says nothing and succeeds proves nothing', async () => {
  const test = await bubblewrap({ path: stubBwrap('exit 0') }).selfTest();
  expect(test.passed).toBe(false);
});

test.each([
  ['O-40: a PATH without bwrap', () => folder()],
  ['O-40: a PATH with relative folders only', () => 'bin:.:'],
])('%s: refused, naming the packages', (_, path) => {
  expect(() => bubblewrap({ path: path() })).toThrow(
    expect.objectContaining({
      code: 'SANDBOX_UNAVAILABLE',
      hint: expect.stringMatching(/apt install bubblewrap.*dnf install bubblewrap/u),
    }),
  );
});
