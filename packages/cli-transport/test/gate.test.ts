import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Attestation,
  type Command,
  type CommandWrap,
  type Confinement,
  cliTransport,
  commandAgent,
  fakeRunner,
  preflight,
} from '../src/index.ts';
import { ATTESTED, envelope, SANDBOXED, type Stage, stage } from './stage.ts';

const HELD = ['write-outside', 'read-secret', 'git-pointer', 'network'].map((name) => ({
  name,
  held: true,
  detail: 'held',
}));

const wrapOf = (
  attestation: object | (() => object | undefined) | undefined,
  wrap?: CommandWrap['wrap'],
): Confinement => ({
  kind: 'sandboxed',
  wrap: {
    kind: 'test',
    wrap: wrap ?? ((command) => ({ ...command, file: '/usr/bin/env', args: tail(command) })),
    attestation: () =>
      (typeof attestation === 'function' ? attestation() : attestation) as Attestation | undefined,
  },
});

const tail = ({ file, args }: Command) => [file, ...args];
const passed = { passed: true, pid: process.pid, probes: HELD };
const unsandboxed = { code: 'UNSANDBOXED_REAL_RUN' };
const untyped = (value: unknown) => value as Confinement;

const REFUSED: readonly (readonly [string, Confinement])[] = [
  ['no confinement', untyped(undefined)],
  ['no sandbox: null', untyped({ kind: 'sandboxed', wrap: null })],
  ['a kind that there is not', untyped({ kind: 'none' })],
  ['an object that says it is fake', untyped({ fake: true })],
  ['an object of the shape of a fake runner', untyped({ ...fakeRunner(() => ({})) })],
  ['a wrap that can not attest', untyped({ kind: 'sandboxed', wrap: { wrap: () => ({}) } })],
  ['a sandbox that was not tried', wrapOf(undefined)],
  ['an attestation of another process', wrapOf({ ...passed, pid: process.pid + 1 })],
  ['a self-test that did not pass', wrapOf({ ...passed, passed: false })],
  ['a self-test that only nearly says it passed', wrapOf({ ...passed, passed: 'yes' })],
  ['a self-test without probes', wrapOf({ ...passed, probes: [] })],
  ['a self-test whose probes are no list', wrapOf({ ...passed, probes: 'all' })],
  ['a self-test that left a probe out', wrapOf({ ...passed, probes: HELD.slice(1) })],
  [
    'a self-test with a wall that gave way',
    wrapOf({ ...passed, probes: [...HELD, { name: 'remount', held: false, detail: 'wrote' }] }),
  ],
  ['a host that nobody answers for', { kind: 'attested-host', attestedBy: ' ' }],
];

describe('hard rule: no real agent starts without walls that were tried: the gate', () => {
  let on: Stage;
  beforeEach(() => {
    on = stage(ATTESTED);
  });
  afterEach(() => on.close());

  it.each(REFUSED)('refuses %s, when made and before a run', async (_, confinement) => {
    const options = { agent: commandAgent({ program: 'true' }), confinement, runDir: on.runDir };
    expect(() => cliTransport(options)).toThrow(expect.objectContaining(unsandboxed));
    await expect(preflight(options)).rejects.toMatchObject(unsandboxed);
  });

  it('says how to get walls, and shows what gave way without its control characters', () => {
    const probes = [...HELD, { name: 'remount', held: false, detail: 'wrote \x1b[2J' }];
    const make = () =>
      cliTransport({
        agent: commandAgent({ program: 'true' }),
        confinement: wrapOf({ ...passed, probes }),
        runDir: on.runDir,
      });
    expect(make).toThrow(
      expect.objectContaining({
        message: expect.stringContaining('remount (wrote \\x1b[2J)'),
        hint: expect.stringMatching(
          /bubblewrap.*kernel\.apparmor_restrict_unprivileged_userns=0.*ATELIER_CLI_ALLOW_UNSANDBOXED=1/s,
        ),
      }),
    );
  });

  it.each<[string, CommandWrap['wrap']]>([
    ['the command itself', (command) => command],
    ['a copy of the command', ({ file, args, ...rest }) => ({ file, args: [...args], ...rest })],
    ['another command', (command) => ({ ...command, file: '/usr/bin/env', args: ['true'] })],
    ['nothing of the command', (command) => ({ ...command, file: '/bin/sh', args: [] })],
    [
      'the command with more behind it',
      (command) => ({ ...command, file: '/usr/bin/env', args: [...tail(command), 'more'] }),
    ],
  ])('O-40: refuses to execute when the wrap hands back %s', async (_, wrap) => {
    const canary = join(on.folder, 'canary');
    const transport = on.transport(on.script(`touch '${canary}'`), {
      confinement: wrapOf(passed, wrap),
    });
    await expect(on.start(transport)).rejects.toMatchObject(unsandboxed);
    expect(existsSync(canary)).toBe(false);
  });

  it('refuses to execute once the walls are no longer attested to', async () => {
    let attestation: object | undefined = passed;
    const canary = join(on.folder, 'canary');
    const transport = on.transport(on.script(`touch '${canary}'`), {
      confinement: wrapOf(() => attestation),
    });
    attestation = undefined;
    await expect(on.start(transport)).rejects.toMatchObject(unsandboxed);
    expect(existsSync(canary)).toBe(false);
  });

  it('refuses an agent that asks nobody where only a word stands around it, and takes it behind walls', async () => {
    const options = { runDir: on.runDir, limits: {} };
    const bold = { ...commandAgent({ program: 'true' }), needsWalls: true };
    const bypass = { code: 'UNSANDBOXED_BYPASS', hint: expect.stringContaining('acceptEdits') };
    const bare = { ...options, agent: bold, confinement: ATTESTED };
    expect(() => cliTransport(bare)).toThrow(expect.objectContaining(bypass));
    await expect(preflight(bare)).rejects.toMatchObject(bypass);
    await preflight({ ...options, agent: { ...bold, needsWalls: false }, confinement: ATTESTED });
    await preflight({ ...options, agent: bold, confinement: SANDBOXED });
    await preflight({ ...options, agent: bold, confinement: fakeRunner(() => ({})) });
    await expect(
      preflight({ ...options, agent: bold, confinement: wrapOf(undefined) }),
    ).rejects.toMatchObject(unsandboxed);
  });

  it('what is executed can not write outside', async () => {
    const canary = join(on.folder, 'canary');
    const body = `touch '${canary}'; touch inside; exit 0`;
    const handle = await on.start(on.transport(on.script(body), { confinement: SANDBOXED }));
    await handle.report;
    expect(existsSync(canary)).toBe(false);
    expect(existsSync(join(on.worktree, 'inside'))).toBe(true);
  });

  it('a fake runner is exempt by its type, and runs nothing', async () => {
    const canary = join(on.folder, 'canary');
    const transport = on.transport(on.script(`touch '${canary}'`), {
      confinement: fakeRunner(() => ({ replyText: JSON.stringify(envelope()) })),
    });
    const handle = await on.start(transport);
    expect(await handle.report).toEqual({ kind: 'replied', reply: envelope() });
    expect(existsSync(canary)).toBe(false);
  });
});
