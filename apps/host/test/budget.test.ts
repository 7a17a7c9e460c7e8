import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { type Scene, scene } from './host-process.ts';

// Whole hosts, or plans of 100,000 tasks, on machines that may be slow.
vi.setConfig({ testTimeout: 240_000 });

const FOUR = ['a', 'b', 'c', 'd'].map((id) => ({ id, parallel_group: 1 }));
const DONE = 'done();';

const run = (at: Scene, body: string, ...more: string[]) =>
  at.atelier(['run', at.plan(FOUR), ...at.agent(body), '--run-mode', 'balanced', ...more]);

const BIN = join(import.meta.dirname, '../bundle/atelier.js');

/** Runs the command on a terminal of its own, and answers it. */
async function atTerminal(
  at: Scene,
  args: readonly string[],
  answer: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const line = [process.execPath, BIN, ...args].map(quoted).join(' ');
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    cwd: at.repo,
    timeout: 50_000,
    env: {
      ...{ PATH: process.env['PATH'] ?? '', HOME: at.folder, XDG_STATE_HOME: at.stateDir },
      ...env,
    },
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  child.stdin.write(answer);
  await new Promise((resolve) => child.once('close', resolve));
  return text;
}

const quoted = (arg: string): string => `'${arg.replaceAll("'", "'\\''")}'`;

describe('a budget', () => {
  it('a dry pool parks the rest with one escalation of the run, and a larger budget goes on', async () => {
    const at = scene();
    const told = join(at.folder, 'told');
    mkdirSync(join(at.folder, '.config/atelier'), { recursive: true });
    writeFileSync(
      join(at.folder, '.config/atelier/config.yaml'),
      `escalations: { notify: [/bin/sh, -c, 'cat >> ${told}'] }\n`,
    );
    // 12,000 tokens under balanced are 8,400: room for one attempt that is thought to take 6,000.
    const first = await run(at, DONE, '--budget', '12k');
    expect(first.code).toBe(4);
    expect(first.stdout).toMatch(
      /parked \(budget\).*2400 output tokens of 8400 output tokens are left/s,
    );
    expect(first.stdout).toContain('--budget');
    expect(first.stdout).not.toMatch(/engine-abandon/);
    const rows = readFileSync(told, 'utf8').trim().split('\n');
    expect(rows.map((row) => JSON.parse(row))).toMatchObject([
      { scope: 'run', category: 'budget' },
    ]);

    const again = await at.atelier(['resume']);
    expect(again).toMatchObject({ code: 4 });
    const more = await at.atelier(['resume', '--budget', '500k']);
    expect(more).toMatchObject({ code: 0 });
    expect(more.stdout).toContain('4 of 4 tasks done');

    const cost = JSON.parse((await at.atelier(['cost', '--json'])).stdout);
    expect(cost).toMatchObject({ version: 1, total: { attempts: 4, unmetered: 4, unpriced: 4 } });
    expect(cost.tasks).toHaveLength(4);
    const text = (await at.atelier(['cost'])).stdout;
    expect(text).toContain('4 attempts, cost unknown.');
    expect(text).toMatch(/^attempt .*\n(?:[a-d] 1 .*\n){4}/m);
    expect(text).toMatch(/List prices are those of \d{4}-\d\d-\d\d\./);
  });

  it('comes from the plan, and the command line goes before it; another one is another plan, and is taken with it', async () => {
    const at = scene();
    const planned = (tokens: number) => at.plan(FOUR.slice(0, 1), { budget: { tokens } });
    const args = ['run', planned(100), ...at.agent(DONE), '--run-mode', 'balanced'];
    expect(await at.atelier(args)).toMatchObject({ code: 4 });
    expect(await at.atelier([...args, '--new', '--budget', '1m'])).toMatchObject({ code: 0 });
    planned(1_000_000);
    const refused = await at.atelier(['resume']);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringMatching(/PLAN_CHANGED.*budget/u),
    ]);
    expect(await at.atelier(['resume', '--take-plan'])).toMatchObject({ code: 0 });
  });

  it('that a person has named stays before the plan’s, also of a plan that is changed and taken', async () => {
    const at = scene();
    const planned = (title: string) =>
      at.plan(
        FOUR.map((task) => ({ ...task, title })),
        { budget: { tokens: 100 } },
      );
    const failing = ['run', planned('a'), ...at.agent('process.exit(9);'), '--max-workers', '1'];
    expect(await at.atelier([...failing, '--budget', '1m'])).toMatchObject({ code: 4 });
    planned('b');
    const taken = await at.atelier(['resume', '--take-plan', ...at.agent(DONE)]);
    expect([taken.code, taken.stderr]).toEqual([0, expect.not.stringContaining('the budget')]);
  });

  it('of one kind on the command line leaves that of the other kind in the plan as it is', async () => {
    const at = scene();
    const plan = at.plan(FOUR.slice(0, 1), { budget: { usd: 5 } });
    const ended = await at.atelier(['run', plan, ...at.agent(DONE), '--budget', '1m']);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('a budget in dollars needs a model with a price');
  });

  it('in dollars is refused for a program that tells no cost, before anything is charged', async () => {
    const at = scene();
    const ended = await run(at, DONE, '--budget', '$5');
    expect(ended.code).toBe(2);
    expect(ended.stderr).toMatch(/dollars needs a model with a price.*--budget 500k/s);
  });

  it('the same cause three times in a row across tasks parks, and says so', async () => {
    const at = scene();
    const ended = await run(at, 'process.exit(9);', '--max-workers', '1');
    expect(ended.code).toBe(4);
    expect(ended.stdout).toMatch(/parked \(breaker\).*3 attempts in a row.*exit/s);
    const never = ['--break-after', '0', '--max-attempts', '1'];
    expect(await at.atelier(['resume', ...never])).toMatchObject({ code: 3 });
  });
});

describe('the run mode', () => {
  const opening = (text: string) => /run mode ([\w-]+ \([\w -]+\))/.exec(text)?.[1];
  const one = (at: Scene, ...more: string[]) => [
    ...['run', at.plan(FOUR.slice(0, 1)), ...at.agent(DONE), ...more],
  ];

  it('a bad --run-mode exits 2 and names the good ones', async () => {
    const at = scene();
    const ended = await at.atelier(one(at, '--run-mode', 'cheap'));
    expect(ended.code).toBe(2);
    expect(ended.stderr).toMatch(/"cheap".*cost-lean, balanced or quality-lean/s);
  });

  it('the saved default is the user’s, set by a command that keeps the rest of the file', async () => {
    const at = scene();
    const file = join(at.folder, '.config/atelier/config.yaml');
    mkdirSync(join(at.folder, '.config/atelier'), { recursive: true });
    writeFileSync(file, '# mine\ngit: { allowFilters: [lfs] }\n');
    expect((await at.atelier(['config', 'get', 'run-mode'])).stdout).toBe('not set\n');
    expect(await at.atelier(['config', 'set', 'run-mode', 'quality-lean'])).toMatchObject({
      code: 0,
    });
    expect(readFileSync(file, 'utf8')).toBe(
      '# mine\ngit: { allowFilters: [ lfs ] }\nrun-mode: quality-lean\n',
    );
    const ended = await at.atelier(one(at));
    expect(opening(ended.stderr + ended.stdout)).toBe('quality-lean (saved default)');
    expect(await at.atelier(['config', 'set', 'run-mode', 'x'])).toMatchObject({ code: 2 });
    expect(await at.atelier(['config', 'set', 'mode', 'x'])).toMatchObject({ code: 2 });
    expect(await at.atelier(['config', 'unset', 'run-mode'])).toMatchObject({ code: 0 });
    expect((await at.atelier(['config', 'get', 'run-mode'])).stdout).toBe('not set\n');
  });

  it('a person at a terminal is asked, unless a flag, the environment or CI is there', async () => {
    const asked = scene();
    const text = await atTerminal(asked, one(asked), 'quick\nquality-lean\n');
    expect(text).toContain('Run mode: cost-lean, balanced, quality-lean [cost-lean]?');
    expect(opening(text)).toBe('quality-lean (chosen at the start)');
    for (const [more, env, mode] of [
      [['--run-mode', 'balanced'], {}, 'balanced (asked for)'],
      [[], { ATELIER_RUN_MODE: 'balanced' }, 'balanced (from the environment)'],
      [[], { CI: 'true' }, 'cost-lean (default)'],
    ] as const) {
      const at = scene();
      const silent = await atTerminal(at, one(at, ...more), '', env);
      expect(silent).not.toContain('Run mode:');
      expect(opening(silent)).toBe(mode);
    }
  });
});

describe('the preview', () => {
  it('shows what a plan may use, by the mode it would run under', async () => {
    const at = scene();
    const plan = at.plan(FOUR);
    const lean = await at.atelier(['plan', plan, '--run-mode', 'cost-lean']);
    expect(lean.stdout).toContain('By estimate 8,000 to 40,000 output tokens, $');
    const json = JSON.parse(
      (await at.atelier(['plan', plan, '--json', '--run-mode', 'balanced'])).stdout,
    );
    expect(json.spend).toMatchObject({
      outputTokens: { low: 24_000, high: 120_000 },
      costUsd: { low: expect.any(Number), high: expect.any(Number) },
    });
    await at.atelier(['config', 'set', 'run-mode', 'balanced']);
    const saved = JSON.parse((await at.atelier(['plan', plan, '--json'])).stdout);
    expect(saved.spend).toEqual(json.spend);
    const own = await at.atelier(['plan', plan, '--agent', 'codex', '--run-mode', 'balanced']);
    expect(own.stdout).toContain('at a cost that is not known');
  });
});
