import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type ConfinedShellOptions,
  type Confinement,
  confinedShell,
  fakeRunner,
  type ShellCall,
  type ShellEnd,
} from '../src/index.ts';
import { killHost, startShellHost } from './host-process.ts';
import { livingWith, textOf, until } from './living.ts';
import { ATTESTED, CONFINEMENTS, SANDBOXED, type Stage, stage } from './stage.ts';

const KEPT_BYTES = 64 * 1024;

let on: Stage;
/** Seconds that nothing else on this machine sleeps. */
let forever: string;

const begin = (confinement: Confinement) => {
  on = stage(confinement);
  forever = `100000.${process.pid}${on.folder.replace(/\D/g, '')}${Date.now()}`;
};

/** Nothing is left, unless a test has failed. */
const clear = async () => {
  for (const pid of livingWith(forever)) process.kill(pid, 'SIGKILL');
  await on.close();
};

const shellOf = (confinement: Confinement, options: Partial<ConfinedShellOptions> = {}) => {
  const limits = { graceMs: 200, ...options.limits };
  const shell = confinedShell({ confinement, runDir: on.runDir, ...options, limits });
  return (command: string, call: Partial<ShellCall> = {}): Promise<ShellEnd> =>
    shell({ command, worktree: on.worktree, timeoutMs: 60_000, ...call });
};

const argumentsOf = (pid: number) => textOf(`/proc/${pid}/cmdline`);

const exited = (output: string, exitCode = 0) => ({ kind: 'exited', exitCode, output });

describe.each(CONFINEMENTS)('a command %s', (_, confinement) => {
  beforeEach(() => begin(confinement));
  afterEach(clear);

  it('is read by sh in the worktree, and its exit status is told', async () => {
    const sh = shellOf(confinement);
    expect(await sh('pwd; echo "$((1 + 1))" >made; exit 7')).toEqual(exited(`${on.worktree}\n`, 7));
    expect(readFileSync(join(on.worktree, 'made'), 'utf8')).toBe('2\n');
    expect(await sh('true')).toEqual(exited(''));
    expect(await sh('kill -KILL $$')).toMatchObject({ kind: 'exited', exitCode: 137 });
    expect(await sh('no-such-program')).toMatchObject({ exitCode: 127 });
  });

  it('is one argument of sh, whatever it begins with', async () => {
    expect(await shellOf(confinement)('-x; echo on')).toMatchObject({
      output: expect.stringMatching(/-x: (?:command )?not found\non\n$/),
    });
  });

  it('gets a clean environment, and a HOME of its own that is gone afterwards', async () => {
    process.env['ATELIER_TEST_SECRET'] = 'secret';
    const sh = shellOf(confinement);
    const end = await sh('env; ls -A "$HOME" "$HOME/.." | grep kept; echo x >"$HOME/kept"');
    if (end.kind !== 'exited') throw new Error(end.kind);
    const names = [...end.output.matchAll(/^(\w+)=/gm)].map(([, name]) => name ?? '');
    const given = ['CI', 'HOME', 'LANG', 'PATH', 'PWD', 'TERM', 'TZ'];
    // Where nothing holds its processes, they are found by a mark of this one call.
    const mark = confinement.kind === 'sandboxed' ? [] : ['ATELIER_NONCE'];
    expect(names.filter((name) => name !== '_').sort()).toEqual([...mark, ...given]);
    expect(end.output).toContain('CI=1\n');
    expect(end.output).not.toContain('secret');
    expect(await sh('ls -A "$HOME"')).toEqual(exited(''));
    expect(readdirSync(on.runDir)).toEqual([]);
  });

  it('leaves nothing in HOME that could not be removed: closed folders, paths without end', async () => {
    const warnings: string[] = [];
    const sh = shellOf(confinement, { onWarning: (message) => warnings.push(message) });
    const deep = `cd "$HOME"; n=$(printf %0200d 0); i=0
      while [ $i -lt 60 ]; do mkdir $n && cd -P $n || exit 3; i=$((i + 1)); done
      cd "$HOME"; mkdir -p closed/in; chmod 0 closed`;
    expect(await sh(deep)).toMatchObject({ kind: 'exited', exitCode: 0 });
    expect(readdirSync(on.runDir)).toEqual([]);
    expect(warnings).toEqual([]);
  });

  it('is told with both of its outputs in their order, which it can open again by name', async () => {
    const line = 'for i in 1 2 3; do echo out $i; echo err $i >&2; done; echo x >/dev/stderr';
    expect(await shellOf(confinement)(`${line}; echo y >/dev/stdout`)).toEqual(
      exited('out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3\nx\ny\n'),
    );
  });

  it('has no input', async () => {
    expect(await shellOf(confinement)('cat; read -r line; echo "$?"')).toEqual(exited('1\n'));
  });

  it('is told by the end of what it printed, as well-formed text', async () => {
    const flood = `head -c 3000000 /dev/zero | tr '\\0' x; printf 'the €nd\\377'`;
    const end = await shellOf(confinement)(flood);
    if (end.kind !== 'exited') throw new Error(end.kind);
    expect(end.output).toMatch(/^x+the €nd\ufffd$/u);
    expect(Buffer.byteLength(end.output.slice(0, -1)) + 1).toBe(KEPT_BYTES);
  });

  it('may print without end: neither memory nor disk grows, and it ends in time', async () => {
    const running = shellOf(confinement)('yes €', { timeoutMs: 700 });
    let most = 0;
    const sizes = async () => {
      for (const name of readdirSync(on.runDir, { recursive: true, encoding: 'utf8' }))
        most = Math.max(
          most,
          statSync(join(on.runDir, name), { throwIfNoEntry: false })?.size ?? 0,
        );
    };
    await until(() => existsSync(on.runDir));
    await Promise.race([running, setTimeout(400)]);
    await sizes();
    const end = await running;
    expect(end).toMatchObject({
      kind: 'timeout',
      output: expect.stringMatching(/^€?\n(?:€\n)+/),
    });
    expect(most).toBeLessThan(KEPT_BYTES);
  });

  it('O-12: is gone when its time is over, also when it ignores TERM, and what it printed is told', async () => {
    const deaf = `trap '' TERM INT HUP; echo ready; while :; do sleep ${forever}; done`;
    const end = await shellOf(confinement)(deaf, { timeoutMs: 1_000 });
    expect(end).toMatchObject({ kind: 'timeout', output: expect.stringMatching(/^ready\n/) });
    expect(livingWith(forever)).toEqual([]);
  });

  it('is gone when the signal has aborted, and does not start after it', async () => {
    const cancel = new AbortController();
    const { signal } = cancel;
    const sh = shellOf(confinement);
    const running = sh(`echo ready >ready; setsid sleep ${forever} & sleep ${forever}`, { signal });
    await until(() => livingWith(`sleep\0${forever}`).length > 1);
    cancel.abort();
    expect(await running).toMatchObject({ kind: 'stopped' });
    expect(livingWith(forever)).toEqual([]);
    expect(await sh('echo x >late', { signal })).toEqual({ kind: 'stopped', output: '' });
    expect(existsSync(join(on.worktree, 'late'))).toBe(false);
  });

  it.each([
    ['that holds its output', (sleeps: string) => `${sleeps} &`],
    ['in a session of its own', (sleeps: string) => `setsid ${sleeps} &`],
    ['that has forked twice', (sleeps: string) => `(setsid sh -c '${sleeps} & echo forked' &);`],
    ['that ignores TERM', (sleeps: string) => `(trap '' TERM HUP; ${sleeps}; ${sleeps}) &`],
  ])('O-11: a child %s neither keeps it back nor outlives it', async (_name, leaving) => {
    const end = await shellOf(confinement)(`${leaving(`sleep ${forever}`)} echo done; exit 3`);
    expect(end).toMatchObject({ kind: 'exited', exitCode: 3 });
    expect(livingWith(forever)).toEqual([]);
  });

  it('writes nothing more once its end was told, however often', async () => {
    const sh = shellOf(confinement);
    const late = join(on.worktree, 'late');
    const writes = `(while :; do echo x >>'${late}'; done) >/dev/null 2>&1 & until [ -s '${late}' ]; do :; done`;
    for (let round = 0; round < 10; round += 1) {
      const ends = round % 2 === 0 ? `${writes}; exit 0` : `${writes}; sleep ${forever}`;
      await sh(ends, { timeoutMs: round % 2 === 0 ? 60_000 : 300 });
      const { size } = statSync(late);
      await setTimeout(30);
      expect(statSync(late).size).toBe(size);
    }
  });

  it('runs beside others that it does not notice', async () => {
    const sh = shellOf(confinement);
    const ends = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        sh(`echo ${at} >"$HOME/own"; sleep 0.1; cat "$HOME"/*; exit ${at}`),
      ),
    );
    expect(ends).toEqual(Array.from({ length: 8 }, (_, at) => exited(`${at}\n`, at)));
    expect(readdirSync(on.runDir)).toEqual([]);
  });

  it.each<[string, string, Partial<ShellCall>, RegExp]>([
    ['longer than the system takes', `: ${'x'.repeat(140_000)}`, {}, /argument 3 has 140002 bytes/],
    ['with a NUL', 'echo \0', {}, /null bytes/],
    ['that is blank', ' \n', {}, /no command/],
    ['in no absolute folder', 'true', { worktree: 'work' }, /"?work"? is not an absolute path/],
    ['in a folder that is not there', 'true', { worktree: '/nowhere' }, /./],
    ['without time', 'true', { timeoutMs: 0 }, /0 ms/],
    ['with time that is no number', 'true', { timeoutMs: Number.NaN }, /NaN ms/],
  ])('%s is not run, and the reason is told', async (_name, command, call, reason) => {
    expect(await shellOf(confinement)(command, call)).toEqual({
      kind: 'failed',
      detail: expect.stringMatching(reason),
    });
  });

  it('is not run where its folder can not be made', async () => {
    writeFileSync(on.runDir, 'a file');
    expect(await shellOf(confinement)('true')).toMatchObject({
      kind: 'failed',
      detail: expect.stringContaining('can not write to'),
    });
  });

  it('takes more time than a timer of the machine', async () => {
    expect(await shellOf(confinement)('sleep 0.05', { timeoutMs: 2 ** 40 })).toEqual(exited(''));
  });

  it('that someone else has killed has failed', async () => {
    const running = shellOf(confinement)(`sleep ${forever}; exit 0`);
    await until(() => livingWith(`sleep\0${forever}`).length > 0);
    const [leader] = livingWith(forever).filter(
      (pid) =>
        readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ')[2] === `${pid}`,
    );
    process.kill(-(leader ?? 0), 'SIGKILL');
    expect(await running).toEqual({
      kind: 'failed',
      detail: expect.stringContaining('SIGKILL'),
    });
    expect(livingWith(forever)).toEqual([]);
  });
});

describe('the walls of a command', () => {
  beforeEach(() => begin(SANDBOXED));
  afterEach(clear);

  it('are those of a worker: no write outside, no network, git to read', async () => {
    const canary = join(on.folder, 'canary');
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const client = `require('node:net').connect(${port}, '127.0.0.1').on('error', ({ code }) => console.log(code))`;
    const sh = shellOf(SANDBOXED);
    expect(await sh(`node -e "${client}"`)).toEqual(exited('ECONNREFUSED\n'));
    server.close();
    await sh(`touch '${canary}'`);
    expect(await sh('touch /usr/canary')).toMatchObject({ exitCode: 1 });
    expect(existsSync(canary)).toBe(false);
    expect(await sh('git status --porcelain; git log --format=%s')).toEqual(exited('first\n'));
    expect(await sh('git commit --allow-empty -m x')).toMatchObject({
      exitCode: 128,
      output: expect.stringContaining('Read-only file system'),
    });
    expect(await sh('cat /proc/[0-9]*/environ')).toMatchObject({
      output: expect.not.stringContaining('ATELIER_'),
    });
  });

  it('close a worktree that is read-only, and what is frozen in one that is not', async () => {
    const original = join(on.folder, 'original');
    const deps = join(on.worktree, 'sub/deps');
    mkdirSync(deps, { recursive: true });
    writeFileSync(original, 'original');
    linkSync(original, join(deps, 'file'));
    const sh = shellOf(SANDBOXED);
    expect(await sh('echo x >new', { readOnly: true })).not.toMatchObject({ exitCode: 0 });
    expect(existsSync(join(on.worktree, 'new'))).toBe(false);
    const line = 'echo x >>sub/deps/file; rm -rf sub/deps; echo x >sub/new';
    expect(await sh(line, { frozen: [deps] })).toMatchObject({ exitCode: 0 });
    expect(readFileSync(original, 'utf8')).toBe('original');
    expect(existsSync(join(on.worktree, 'sub/new'))).toBe(true);
    expect(await sh('true', { frozen: [on.folder] })).toEqual({
      kind: 'failed',
      detail: expect.stringContaining('is not inside the worktree'),
    });
  });

  it('open what is named for reading', async () => {
    const shared = join(on.folder, 'shared');
    mkdirSync(shared);
    writeFileSync(join(shared, 'file'), 'text');
    expect(await shellOf(SANDBOXED)(`cat '${shared}/file'`)).not.toMatchObject({ exitCode: 0 });
    const sh = shellOf(SANDBOXED, { read: [shared] });
    expect(await sh(`cat '${shared}/file'`)).toEqual(exited('text'));
    expect(await sh(`echo x >'${shared}/file'`)).not.toMatchObject({ exitCode: 0 });
  });

  it('are demanded when the shell is made: nobody plays a command, and nothing untried holds one', () => {
    const wrap = { kind: 'test', wrap: () => ({}), attestation: () => undefined };
    for (const confinement of [
      fakeRunner(() => ({})),
      { kind: 'sandboxed', wrap } as unknown as Confinement,
      { kind: 'attested-host', attestedBy: '' } as const,
      undefined as unknown as Confinement,
    ])
      expect(() => confinedShell({ confinement, runDir: on.runDir })).toThrow(
        expect.objectContaining({ code: 'UNSANDBOXED_REAL_RUN' }),
      );
    expect(() =>
      confinedShell({ confinement: ATTESTED, runDir: on.runDir, limits: { graceMs: -1 } }),
    ).toThrow(expect.objectContaining({ code: 'INVALID_LIMIT' }));
  });

  it('are demanded again for each command', async () => {
    if (SANDBOXED.kind !== 'sandboxed') throw new Error('no walls');
    const { wrap } = SANDBOXED;
    let attestation = wrap.attestation();
    const lapsing = { ...wrap, attestation: () => attestation };
    const sh = shellOf({ kind: 'sandboxed', wrap: lapsing });
    expect(await sh('true')).toEqual(exited(''));
    attestation = undefined;
    expect(await sh('touch canary')).toMatchObject({
      kind: 'failed',
      detail: expect.stringContaining('without walls'),
    });
    const bare = shellOf({ kind: 'sandboxed', wrap: { ...wrap, wrap: (command) => command } });
    expect(await bare('touch canary')).toMatchObject({
      detail: expect.stringContaining('without walls'),
    });
    expect(existsSync(join(on.worktree, 'canary'))).toBe(false);
  });

  it('that were not tried for a killed host stand behind a supervisor', async () => {
    if (SANDBOXED.kind !== 'sandboxed') throw new Error('no walls');
    const { wrap } = SANDBOXED;
    const tried = wrap.attestation();
    const probes = tried?.probes.filter(({ name }) => name !== 'survive-the-supervisor') ?? [];
    const partly = { ...wrap, attestation: () => ({ passed: true, pid: process.pid, probes }) };
    const sh = shellOf({ kind: 'sandboxed', wrap: partly });
    expect(await sh('echo said; exit 5')).toEqual(exited('said\n', 5));
    expect(await sh(`sleep ${forever}`, { timeoutMs: 300 })).toMatchObject({ kind: 'timeout' });
    expect(livingWith(forever)).toEqual([]);
  });
});

describe('a command whose host was killed', () => {
  beforeEach(() => begin(ATTESTED));
  afterEach(clear);

  const crash = async (timeoutMs: number, options: { sandboxed: boolean; limits?: object }) => {
    const command = `trap '' TERM HUP; setsid sleep ${forever} & while :; do sleep ${forever}; done`;
    const call = { command, worktree: on.worktree, timeoutMs };
    const host = await startShellHost({ runDir: on.runDir, call, ...options });
    await until(() => livingWith(`sleep\0${forever}`).length > 1);
    await killHost(host);
  };

  it('dies with it behind bubblewrap, all of it', async () => {
    await crash(3_600_000, { sandboxed: true });
    await until(() => livingWith(forever).length === 0);
  });

  it('is ended by the next host where there are no walls, before that runs a command', async () => {
    await crash(3_600_000, { sandboxed: false });
    const here = shellOf(ATTESTED);
    const mine = here(`exec sleep ${forever}7`);
    await until(() => livingWith(`${forever}7`).length > 0);
    // Another shell of the same host leaves the command of this one alone.
    expect(await shellOf(ATTESTED)('true')).toEqual(exited(''));
    expect(livingWith(forever).every((pid) => argumentsOf(pid).includes(`${forever}7`))).toBe(true);
    expect(readdirSync(on.runDir)).toHaveLength(1);
    for (const pid of livingWith(`sleep\0${forever}7`)) process.kill(pid, 'SIGKILL');
    expect(await mine).toMatchObject({ kind: 'exited', exitCode: 137 });
  });

  it('is found by its mark alone when its supervisor was killed, too', async () => {
    await crash(3_600_000, { sandboxed: false });
    const [folder = ''] = readdirSync(on.runDir);
    process.kill(Number.parseInt(textOf(join(on.runDir, folder, 'supervisor')), 10), 'SIGKILL');
    const warnings: string[] = [];
    const onWarning = (message: string) => void warnings.push(message);
    expect(await shellOf(ATTESTED, { onWarning })('true')).toEqual(exited(''));
    expect([livingWith(forever), readdirSync(on.runDir), warnings]).toEqual([[], [], []]);
  });

  it('leaves nothing where it had not been started yet, or its folder was being removed', async () => {
    const [begun, empty] = ['shell-begun', 'shell-empty'].map((name) => join(on.runDir, name));
    for (const folder of [begun, empty])
      mkdirSync(join(`${folder}`, 'home/.cache'), { recursive: true });
    writeFileSync(join(`${empty}`, 'meta.json'), '');
    mkdirSync(join(on.runDir, 'another'));
    expect(await shellOf(ATTESTED)('true')).toEqual(exited(''));
    expect(readdirSync(on.runDir)).toEqual(['another']);
  });

  it('is found by its output where its mark is hidden: behind walls that were not up yet', async () => {
    const folder = join(on.runDir, 'shell-early');
    const output = join(folder, 'output');
    mkdirSync(folder, { recursive: true });
    const host = { pid: 2 ** 22, startTime: '1' };
    const record = { mark: 'm', host, pidNamespace: '', bootId: '' };
    writeFileSync(join(folder, 'meta.json'), JSON.stringify(record));
    execFileSync('mkfifo', [output]);
    const [reader, writer] = [constants.O_RDWR, constants.O_WRONLY].map((how) =>
      openSync(output, how),
    ) as [number, number];
    const early = spawn('sleep', [forever], { env: {}, stdio: ['ignore', writer, writer] });
    for (const one of [writer, reader]) closeSync(one);
    const ended = once(early, 'exit');
    try {
      expect(await shellOf(ATTESTED)('true')).toEqual(exited(''));
      expect(livingWith(forever)).toEqual([]);
    } finally {
      early.kill('SIGKILL');
      await ended;
    }
    expect(readdirSync(on.runDir)).toEqual([]);
  });

  it('keeps its folder where what is written about it can not be read', async () => {
    const folder = join(on.runDir, 'shell-foreign');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'meta.json'), '{"version":2}');
    expect(await shellOf(ATTESTED)('true')).toEqual(exited(''));
    expect(readdirSync(on.runDir)).toEqual(['shell-foreign']);
  });

  it('ends by itself soon after its time where there are no walls', async () => {
    await crash(1_000, { sandboxed: false, limits: { orphanGraceMs: 500, graceMs: 100 } });
    await until(() => livingWith(forever).length === 0);
  });
});
