import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

// Whole hosts, or plans of 100,000 tasks, on machines that may be slow.
vi.setConfig({ testTimeout: 240_000 });

const bin = fileURLToPath(new URL('../bundle/atelier.js', import.meta.url));
const example = fileURLToPath(new URL('../../../examples/plan.yaml', import.meta.url));

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'atelier-plan-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built command as a process of its own. */
function atelier(...args: string[]): Promise<Ended> {
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...output }));
  });
}

const file = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

const task = (fields: object) => ({ title: 'T', description: 'd', writes: ['a'], ...fields });

test('the example plan is valid: three waves, and a bound on dispatches', async () => {
  const { code, stdout, stderr } = await atelier('plan', example);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout.match(/^[123] {3}/gmu)).toEqual(['1   ', '2   ', '3   ']);
  expect(stdout).toContain('The run halts after at most 40 dispatches');
  expect(stdout).not.toContain('Warnings');
});

test('--json is one object with a version', async () => {
  const { code, stdout } = await atelier('plan', example, '--json', '--max-attempts', '2');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ version: 1, ok: true, live: 8, maxDispatches: 16 });
  expect(stdout.trim()).not.toContain('\n');
});

test('--graph is a Mermaid flowchart, and refuses what Mermaid would not draw', async () => {
  const { code, stdout } = await atelier('plan', example, '--graph');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^flowchart TD\n {2}subgraph w0\["wave 1"\]\n/u);
  const tasks = Array.from({ length: 501 }, (_, id) => task({ id, parallel_group: 1, writes: [] }));
  const wide = file('many.json', JSON.stringify({ goal: 'g', tasks }));
  const refused = await atelier('plan', wide, '--graph');
  expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 2, stdout: '' });
  expect(refused.stderr).toMatch(/at most 500 tasks .* this plan has 501 tasks.*--json/u);
});

test('--schedule says what the other one would make of the plan', async () => {
  const { stdout } = await atelier('plan', example, '--schedule', 'pipeline');
  expect(stdout).toMatch(/^Schedule: pipeline\. /mu);
  const { code, stderr } = await atelier('plan', example, '--schedule', 'fast');
  expect(code).toBe(2);
  expect(stderr).toContain('--schedule must be parallel or pipeline');
});

test('--raise-caps allows more attempts', async () => {
  const { stdout } = await atelier('plan', example, '--max-attempts', '9', '--raise-caps');
  expect(stdout).toContain('at most 72 dispatches (9 attempts per task)');
});

test('a plan with defects ends with 2 and a line for each of them on stderr', async () => {
  const tasks = [
    task({ id: 'a', parallel_group: 1, depends_on: ['a'] }),
    task({ id: 'a', parallel_group: 0, dependson: [] }),
  ];
  const { code, stdout, stderr } = await atelier(
    'plan',
    file('bad.json', JSON.stringify({ goal: 'g', tasks })),
  );
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(
    stderr,
  ).toBe(`tasks[0].depends_on[0]: task "a" depends on itself. Remove the edge, or name another task.
tasks[1].id: task "a" is listed twice, as tasks[0] and tasks[1]. Rename or remove one of them; ids are compared as text.
tasks[1].parallel_group: task "a" is in no wave: parallel_group must be an integer of at least 1, got 0. Set parallel_group to the number of the wave the task runs in.
tasks[1].dependson: task "a" has an unknown key "dependson". Did you mean depends_on? Otherwise remove it, or start its name with x-.
`);
});

test('--json has the same defects on stdout', async () => {
  const { code, stdout, stderr } = await atelier(
    'plan',
    '--json',
    file('no-goal.yaml', 'tasks: []'),
  );
  expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({
    version: 1,
    ok: false,
    issues: [
      { code: 'missing-key', path: 'goal' },
      { code: 'empty-plan', path: 'tasks' },
    ],
  });
});

test.each([
  ['missing.yaml', undefined, 'the file does not exist'],
  ['.', undefined, 'it is a directory'],
  ['latin1.yaml', Buffer.from('goal: na\u00efve', 'latin1'), 'first invalid byte is at offset 8'],
  ['twice.yaml', 'goal: a\ngoal: b\n', 'the key "goal" is there twice'],
  ['twice.json', '{"goal":"a","goal":"b"}', 'the key "goal" is there twice'],
  ['tag.yaml', 'goal: !run x\n', 'Unresolved tag'],
  ['two.yaml', 'goal: a\n---\ngoal: b\n', 'holds 2 documents'],
  ['syntax.json', '{"goal":', 'not valid JSON'],
  ['list.yaml', '- id: a\n', 'a plan must be an object'],
])('%s ends with 2 and a reason, not a stack', async (name, content, message) => {
  if (content !== undefined) file(name, content);
  const { code, stdout, stderr } = await atelier('plan', name);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(message);
  expect(stderr).not.toMatch(/^\s+at /mu);
});

test('a YAML bomb is refused before it goes off', async () => {
  const levels = ['goal: g', 'tasks: []', 'x-0: &l0 [x, x, x, x, x, x, x, x, x]'];
  for (let i = 1; i < 15; i++) levels.push(`x-${i}: &l${i} [${`*l${i - 1},`.repeat(9)}]`);
  const { code, stderr } = await atelier('plan', file('bomb.yaml', levels.join('\n')));
  expect(code).toBe(2);
  expect(stderr).toContain('aliases repeat more than 1000 values');
});

test('a plan of 100,000 tasks is previewed in full, through a pipe', async () => {
  const tasks = Array.from({ length: 100_000 }, (_, i) =>
    task({ id: `n${i}`, parallel_group: i + 1, depends_on: i === 0 ? [] : [`n${i - 1}`] }),
  );
  const plan = file('chain.json', JSON.stringify({ goal: 'g', tasks }));
  const { code, stdout } = await atelier('plan', plan);
  expect(code).toBe(0);
  expect(stdout).toContain('n99999');
  expect(stdout).toContain('100000 tasks in 100000 waves, 0 already closed.');
  expect(stdout).toContain('at most 500000 dispatches');
});

test('a reader that goes away early is no error', async () => {
  const tasks = Array.from({ length: 20_000 }, (_, i) =>
    task({ id: i, parallel_group: 1, writes: [] }),
  );
  const plan = file('wide.json', JSON.stringify({ goal: 'g', tasks }));
  const child = spawn(
    'sh',
    ['-c', '"$1" "$2" plan "$3" | head -n 1', 'sh', process.execPath, bin, plan],
    { cwd: dirname(plan), stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let stderr = '';
  child.stdout.resume();
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  await new Promise((resolve) => child.on('close', resolve));
  expect(stderr).toBe('');
});
