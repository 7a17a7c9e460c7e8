import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ModelServer, ROUTES, startModelServer } from '@atelier/model-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Scene, scene } from './host-process.ts';

const FETCH = join(import.meta.dirname, '../../../tooling/setup/fetch-agents.mjs');

let server: ModelServer;
let folderOfClaude = '';

beforeAll(async () => {
  // The first fetch is a download of 186 MB.
  folderOfClaude = dirname(execFileSync(process.execPath, [FETCH], { encoding: 'utf8' }).trim());
  server = await startModelServer(ROUTES);
}, 900_000);

afterAll(() => server.close());

const run = (at: Scene, tasks: readonly object[]) =>
  at.atelier(
    ['run', at.plan(tasks), '--agent', 'claude', '--max-attempts', '1', '--run-mode', 'balanced'],
    {
      PATH: `${folderOfClaude}:${process.env['PATH']}`,
      ANTHROPIC_BASE_URL: server.url,
      ANTHROPIC_API_KEY: 'dummy-key',
    },
  );

const hasBegun = ({ stateDir }: Scene) =>
  existsSync(stateDir) &&
  readdirSync(stateDir, { recursive: true }).some((path) => String(path).endsWith('/began'));

/** A task whose scripted model does what the marker says. */
const task = (id: string, marker: string, more: object = {}) => ({
  id,
  parallel_group: 1,
  description: marker,
  ...more,
});

describe('the real claude program through the whole host', () => {
  it('a two-wave plan succeeds and its files are merged', async () => {
    const at = scene();
    const ended = await run(at, [
      task('one', '[[write]]'),
      task('two', '[[write]]', { parallel_group: 2, depends_on: ['one'] }),
    ]);
    expect(ended.stdout).toContain('2 of 2 tasks done');
    const branch = at.git('branch', '--list', 'atelier/*', '--format=%(refname:short)').trim();
    expect(at.git('show', `${branch}:one.txt`)).toBe('made by one\n');
    expect(at.git('show', `${branch}:two.txt`)).toBe('made by two\n');
    // The key went out by the host's side of the socket; the worker had only a token.
    expect(new Set(server.requests.map(({ apiKey }) => apiKey))).toEqual(new Set(['dummy-key']));
  });

  it('a model that never hands in a reply is a failed attempt, whatever it says', async () => {
    const at = scene();
    const ended = await run(at, [task('one', '[[prose]]')]);
    expect(ended.code).toBe(3);
    expect(ended.stdout).toMatch(/capacity.*no-reply/s);
  });

  it('a usage limit in the middle of twelve tasks: nothing is charged after it, and the run goes on later', async () => {
    const tenHours = { 'retry-after': '36000' };
    const limit = { kind: 'fail', status: 429, message: 'limit', headers: tenHours } as const;
    const limited = await startModelServer([{ marker: '[[limit]]', turns: [limit] }, ...ROUTES]);
    const [, write] = ROUTES;
    const lifted = await startModelServer([
      { marker: '[[limit]]', turns: write?.turns ?? [limit] },
      ...ROUTES,
    ]);
    const at = scene();
    const tasks = Array.from({ length: 12 }, (_, index) =>
      task(`t${String(index + 1).padStart(2, '0')}`, index === 4 ? '[[limit]]' : '[[write]]'),
    );
    const envOf = ({ url }: ModelServer) => ({
      PATH: `${folderOfClaude}:${process.env['PATH']}`,
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'dummy-key',
    });
    const args = ['--agent', 'claude', '--run-mode', 'balanced', '--max-workers', '3', '--json'];
    const parked = await at.atelier(['run', at.plan(tasks), ...args], envOf(limited));
    expect(parked.code).toBe(4);
    const events = parked.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const at429 = events.findIndex(({ closure }) => closure?.cause === 'usage-limit');
    const charged = ({ type }: { type?: string }) => type === 'attempt.started';
    expect(at429).toBeGreaterThan(0);
    expect(events.slice(at429).filter(charged)).toEqual([]);
    // How many of the others were through by then is a matter of which program was quicker.
    expect(events.filter(charged).length).toBeLessThan(12);
    expect(events.filter(({ type }) => type === 'escalation.raised')).toMatchObject([
      { escalation: { scope: 'run', category: 'usage-limit', task_id: 't05' } },
    ]);
    const later = await at.atelier(['resume'], envOf(lifted));
    expect(later).toMatchObject({ code: 0 });
    expect(later.stdout).toContain('12 of 12 tasks done');
    const ledger = JSON.parse((await at.atelier(['cost', '--json'])).stdout);
    expect(ledger.total).toMatchObject({ attempts: 13 });
    expect(ledger.total.costUsd).toBeGreaterThan(0);
    await Promise.all([limited.close(), lifted.close()]);
  }, 300_000);

  it('a host that is killed while claude works: the next one adopts it and serves it, charged once', async () => {
    const wait = {
      command: 'touch began; for i in 1 2 3 4 5 6 7 8 9 10; do sleep 1; done; rm began',
      description: 'wait',
    };
    const [, write] = ROUTES;
    const working = await startModelServer([
      {
        marker: '[[slow]]',
        turns: [{ kind: 'use', tool: 'Bash', input: wait }, ...(write?.turns ?? [])],
      },
    ]);
    const at = scene();
    const env = {
      PATH: `${folderOfClaude}:${process.env['PATH']}`,
      ANTHROPIC_BASE_URL: working.url,
      ANTHROPIC_API_KEY: 'dummy-key',
    };
    // The next host takes its time before it takes over, and is called meanwhile.
    const slow = join(at.folder, 'slow');
    mkdirSync(slow);
    const once = `[ -e '${slow}/waited' ] || { : > '${slow}/waited'; sleep 14; }`;
    const program = `#!/bin/sh\n${once}\nexec '${join(folderOfClaude, 'claude')}' "$@"\n`;
    writeFileSync(join(slow, 'claude'), program, { mode: 0o755 });
    const args = ['--agent', 'claude', '--run-mode', 'balanced'];
    const { child, ended } = at.start(['run', at.plan([task('one', '[[slow]]')]), ...args], env);
    // Killed in the middle of an answer, it would cost the attempt: claude gives a lost connection up within seconds.
    await expect.poll(() => hasBegun(at), { timeout: 240_000 }).toBe(true);
    child.kill('SIGKILL');
    await ended;
    const slowly = { ...env, PATH: `${slow}:${process.env['PATH']}` };
    const later = await at.atelier(['resume', '--no-replay'], slowly);
    expect([later.code, later.stdout]).toEqual([0, expect.stringContaining('1 attempt charged')]);
    expect(working.requests.length).toBeGreaterThan(1);
    await working.close();
  }, 300_000);

  it('past the limit of the run a worker is cut: the run parks, and its last attempt costs it nothing more', async () => {
    const usage = { output_tokens: 200_000 };
    const spends = await startModelServer([
      { marker: '[[spend]]', turns: [{ kind: 'use', tool: 'Read', input: {}, usage }] },
    ]);
    const at = scene();
    const args = [
      'run',
      at.plan([task('one', '[[spend]]')]),
      '--agent',
      'claude',
      '--budget',
      '50k',
    ];
    const limits = ['--max-attempts', '1', '--run-mode', 'balanced'];
    const ended = await at.atelier([...args, ...limits], {
      PATH: `${folderOfClaude}:${process.env['PATH']}`,
      ANTHROPIC_BASE_URL: spends.url,
      ANTHROPIC_API_KEY: 'dummy-key',
    });
    await spends.close();
    expect([ended.code, ended.stdout]).toEqual([4, expect.stringMatching(/parked \(budget\)/)]);
    expect(ended.stdout).toMatch(/one +failed-attempt +1 .*cut/);
  });

  it('an overloaded API is waited for before the next attempt', async () => {
    const at = scene();
    const args = ['run', at.plan([task('one', '[[529]]')]), '--agent', 'claude'];
    const { child, ended, saying } = at.start([...args, '--run-mode', 'balanced'], {
      PATH: `${folderOfClaude}:${process.env['PATH']}`,
      ANTHROPIC_BASE_URL: server.url,
      ANTHROPIC_API_KEY: 'dummy-key',
    });
    await saying('the model API is overloaded');
    child.kill('SIGINT');
    expect((await ended).code).toBe(5);
  });

  it('a login that has expired is renewed by the program that the config names', async () => {
    const at = scene();
    const login = (accessToken: string, expiresAt: number) =>
      JSON.stringify({ claudeAiOauth: { accessToken, refreshToken: 'r', expiresAt } });
    const path = join(at.folder, '.claude/.credentials.json');
    mkdirSync(join(at.folder, '.claude'));
    writeFileSync(path, login('old-token', 1));
    writeFileSync(join(at.folder, 'renewed'), login('new-token', Date.now() + 3_600_000));
    mkdirSync(join(at.folder, '.config/atelier'), { recursive: true });
    const refresh = JSON.stringify(['/bin/cp', join(at.folder, 'renewed'), path]);
    writeFileSync(
      join(at.folder, '.config/atelier/config.yaml'),
      `login: { refresh: ${refresh} }\n`,
    );
    const args = ['run', at.plan([task('one', '[[reply]]', { writes: [] })]), '--agent', 'claude'];
    const before = server.requests.length;
    const ended = await at.atelier([...args, '--max-attempts', '1', '--run-mode', 'balanced'], {
      PATH: `${folderOfClaude}:${process.env['PATH']}`,
      ANTHROPIC_BASE_URL: server.url,
    });
    expect(server.requests.length, ended.stdout + ended.stderr).toBeGreaterThan(before);
    expect(JSON.stringify(server.requests.slice(before))).toContain('new-token');
  });

  it('a 401 halts the run: one loud message, the others at 0 attempts', async () => {
    const at = scene();
    const ended = await run(at, [
      task('one', '[[401]]'),
      task('two', '[[write]]', { parallel_group: 2 }),
    ]);
    expect(ended.code).toBe(4);
    expect(ended.stdout).toMatch(/parked/);
    expect(ended.stdout).toMatch(/two +pending +0/);
  });
});
