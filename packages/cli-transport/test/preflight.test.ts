import { chmodSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cliTransport, commandAgent, fakeRunner, preflight } from '../src/index.ts';
import { ATTESTED, type Stage, spool, stage } from './stage.ts';

describe('preflight', () => {
  let on: Stage;
  beforeEach(() => {
    on = stage(ATTESTED);
  });
  afterEach(() => on.close());

  const check = (program: string, runDir = on.runDir) =>
    preflight({ agent: commandAgent({ program }), confinement: ATTESTED, runDir });

  it('makes the folder of the run, private, and leaves nothing in it', async () => {
    await check('true', join(on.runDir, 'deep/er'));
    expect(readdirSync(join(on.runDir, 'deep/er'))).toEqual([]);
    expect(statSync(on.runDir).mode & 0o777).toBe(0o700);
  });

  it('names a program that is not there, or can not be executed', async () => {
    const plain = on.script('true');
    chmodSync(plain, 0o644);
    for (const program of ['no-such-agent', '/no/such/agent', plain, on.folder, '', 'a\0b'])
      await expect(check(program)).rejects.toMatchObject({ code: 'PROGRAM_NOT_FOUND' });
    await expect(check('agent\x1b[2J')).rejects.toMatchObject({
      message: expect.stringContaining('agent\\\\x1b[2J'),
    });
  });

  it('refuses a folder that can not be written, and one that is not told exactly', async () => {
    writeFileSync(join(on.folder, 'file'), '');
    for (const runDir of [join(on.folder, 'file'), '/proc/nowhere', 'relative'])
      await expect(check('true', runDir)).rejects.toMatchObject({ code: 'RUN_DIR_UNWRITABLE' });
  });

  it('asks nothing of the machine for a fake runner, but still asks the agent', async () => {
    const confinement = fakeRunner(() => ({}));
    const { runDir } = on;
    await preflight({ agent: commandAgent({ program: 'true' }), confinement, runDir });
    expect(existsSync(runDir)).toBe(false);
    const agent = commandAgent({ program: 'no-such-agent' });
    await expect(preflight({ agent, confinement, runDir })).rejects.toMatchObject({
      code: 'PROGRAM_NOT_FOUND',
    });
  });

  it.each([Number.NaN, -1, Number.POSITIVE_INFINITY])('refuses a limit of %s', (drainMs) => {
    const agent = commandAgent({ program: 'true' });
    const make = () =>
      cliTransport({ agent, confinement: ATTESTED, runDir: on.runDir, limits: { drainMs } });
    expect(make).toThrow(expect.objectContaining({ code: 'INVALID_LIMIT' }));
  });

  it('keeps an attempt in folders that only their owner can open', async () => {
    await on.play('true');
    const { path, home, replyFolder, stdout, stderr, stdin, meta } = spool(on);
    for (const folder of [path, home, replyFolder])
      expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const file of [stdout, stderr, stdin, meta])
      expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('says once what a machine without GNU timeout and flock can not promise, and runs on', async () => {
    const warnings: string[] = [];
    const path = process.env['PATH'];
    process.env['PATH'] = on.folder;
    try {
      const transport = on.transport(on.script('true'), {
        onWarning: (message) => {
          warnings.push(message);
          throw new Error('a listener that fails');
        },
      });
      for (const attempt of [1, 2]) {
        const handle = await on.start(transport, { attempt });
        expect(await handle.report).toMatchObject({ cause: 'no-reply' });
      }
    } finally {
      process.env['PATH'] = path;
    }
    expect(warnings).toEqual([
      expect.stringContaining('no GNU timeout'),
      expect.stringContaining('no flock of util-linux'),
    ]);
  });

  it('a machine without GNU timeout ends a worker that runs too long from the host', async () => {
    const path = process.env['PATH'];
    process.env['PATH'] = on.folder;
    try {
      const options = { limits: { orphanGraceMs: 200 } };
      const handle = await on.start(on.transport(on.script('exec sleep 1000'), options), {
        wallClockMs: 300,
      });
      expect(await handle.report).toMatchObject({ cause: 'timeout' });
    } finally {
      process.env['PATH'] = path;
    }
  });
});
