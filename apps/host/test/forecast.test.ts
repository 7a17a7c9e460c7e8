import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { killAll, scene as newScene, type Scene, workerOf } from './host-process.ts';

// Each of them starts several hosts.
vi.setConfig({ testTimeout: 240_000 });

const scenes: Scene[] = [];

const scene = (): Scene => {
  const at = newScene();
  scenes.push(at);
  return at;
};

afterEach(() => {
  for (const at of scenes.splice(0)) killAll(at);
});

/** The published schema; every object that it describes has no key that it does not name. */
function strictSchema(): object {
  const file = createRequire(import.meta.url).resolve('@atelier/reporters/preview.schema.json');
  const closed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(closed);
    if (typeof value !== 'object' || value === null) return value;
    const copy = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, closed(one)]));
    const isOpen = copy['type'] !== 'object' || copy['if'] !== undefined;
    return isOpen ? copy : { ...copy, additionalProperties: false };
  };
  return closed(JSON.parse(readFileSync(file, 'utf8'))) as object;
}

let plan: ValidateFunction;
let resume: ValidateFunction;

beforeAll(() => {
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true });
  ajv.addSchema(strictSchema(), 'preview');
  const [whole, dry] = [ajv.getSchema('preview'), ajv.getSchema('preview#/$defs/resume')];
  if (!whole || !dry) throw new Error('the schema has lost a part');
  plan = whole;
  resume = dry;
});

/** The one line of JSON that a command printed, as its schema has it. */
function read(schema: ValidateFunction, stdout: string) {
  const value = JSON.parse(stdout);
  expect(schema(value) ? [] : schema.errors).toEqual([]);
  return value;
}

interface Fated {
  readonly id: string;
  readonly phase?: string;
  readonly fate: string;
  readonly why: string;
}

const fates = (rows: readonly Fated[]) => Object.fromEntries(rows.map((row) => [row.id, row.fate]));
const whyOf = (rows: readonly Fated[], id: string) => rows.find((row) => row.id === id)?.why;

const TASKS = [
  { id: 'one', parallel_group: 1, reads: ['spec.md'], writes: ['one.txt'] },
  { id: 'two', parallel_group: 1, reads: [], writes: ['two.txt'] },
  { id: 'three', parallel_group: 2, reads: ['one.txt'], writes: ['three.txt'] },
  { id: 'all', parallel_group: 3, writes: ['all.txt'] },
];

const TERMS = ['--run-mode', 'balanced', '--wall-clock', '60s', '--max-attempts', '1'];

/** Never the same twice. */
const BODY = "done(); appendFileSync(task + '.txt', String(process.hrtime.bigint()));";

/** What is on disk of a clone and its runs, but for the scratch files of the store. */
const onDisk = (at: Scene) => [
  at.git('for-each-ref'),
  at.git('worktree', 'list', '--porcelain'),
  at.git('status', '--porcelain'),
  readdirSync(join(at.repo, '.git/atelier')).filter((name) => !/-(wal|shm)$/.test(name)),
  readdirSync(at.stateDir, { recursive: true }),
];

function sceneWithSpec(...more: readonly string[]): Scene {
  const at = scene();
  for (const name of ['spec.md', ...more]) writeFileSync(join(at.repo, name), 'as it was\n');
  at.git('add', '.');
  at.git('commit', '--quiet', '-m', 'spec');
  return at;
}

describe('atelier plan --replay', () => {
  const replay = async (at: Scene, tasks: readonly object[] = TASKS, ...more: string[]) => {
    const args = ['plan', at.plan(tasks), '--replay', '--json', ...at.agent(BODY), ...TERMS];
    const { code, stdout, stderr } = await at.atelier([...args, ...more]);
    expect([code, stderr]).toEqual([0, '']);
    return read(plan, stdout).forecast as readonly Fated[];
  };

  async function merged(): Promise<Scene> {
    const at = sceneWithSpec();
    const ran = await at.atelier(['run', at.plan(TASKS), ...at.agent(BODY), ...TERMS]);
    expect(ran.code).toBe(0);
    expect((await at.atelier(['merge'])).code).toBe(0);
    return at;
  }

  it('tells what a run would then do: what is spared, and what of its content key is another', async () => {
    const at = await merged();
    const before = onDisk(at);
    const same = await replay(at);
    expect(fates(same)).toEqual({ one: 'replay', two: 'replay', three: 'replay', all: 'rerun' });
    expect(whyOf(same, 'all')).toMatch(/files that it reads have changed \(all\.txt\)$/u);
    const changed = TASKS.map((task) => (task.id === 'two' ? { ...task, title: 'u' } : task));
    const text = await replay(at, changed);
    expect(fates(text)).toMatchObject({ one: 'replay', two: 'rerun', three: 'replay' });
    expect(whyOf(text, 'two')).toMatch(/^since run \S+: its own text has changed \(title\)$/u);
    expect(whyOf(text, 'all')).toMatch(/may read any file, and task two changes/u);
    expect(onDisk(at)).toEqual(before);

    writeFileSync(join(at.repo, 'spec.md'), 'as it is\n');
    at.git('commit', '--quiet', '-a', '-m', 'change');
    const files = await replay(at);
    expect(fates(files)).toEqual({ one: 'rerun', two: 'replay', three: 'rerun', all: 'rerun' });
    expect(whyOf(files, 'one')).toMatch(/files that it reads have changed \(spec\.md\)$/u);
    expect(whyOf(files, 'three')).toBe('it builds on task one, whose work is new');

    // And so it is.
    const again = await at.atelier(['run', at.plan(TASKS), ...at.agent(BODY), ...TERMS]);
    expect(again.stdout, again.stderr).toContain('4 of 4 tasks done, 3 attempts charged');
  });

  it('makes no record where there is none', async () => {
    const at = sceneWithSpec();
    const rows = await replay(at);
    expect(new Set(rows.map(({ why }) => why))).toContain('no earlier run has merged work of it');
    expect(readdirSync(join(at.repo, '.git'))).not.toContain('atelier');
  });
});

describe('atelier resume --dry-run', () => {
  it('tells what is kept, what goes on and what is done again, and changes nothing', async () => {
    const at = scene();
    const tasks = [
      { id: 'fast', parallel_group: 1, reads: [], writes: ['fast.txt'] },
      { id: 'slow', parallel_group: 2, reads: [], writes: ['slow.txt'] },
      { id: 'last', parallel_group: 3, reads: ['slow.txt'], writes: ['last.txt'] },
    ];
    const path = at.plan(tasks);
    const body = "if (task === 'slow') await sleep(600_000); done();";
    const host = at.start(['run', path, ...at.agent(body), '--run-mode', 'balanced']);
    await host.saying('slow');
    await workerOf(at);
    host.child.kill('SIGKILL');
    await host.ended;
    const before = onDisk(at);
    const dry = await at.atelier(['resume', '--dry-run', '--json']);
    expect([dry.code, dry.stderr]).toEqual([0, '']);
    const { tasks: rows } = read(resume, dry.stdout) as { tasks: readonly Fated[] };
    expect(fates(rows)).toMatchObject({ fast: 'kept', slow: 'continues', last: 'rerun' });
    expect(rows.find(({ id }) => id === 'fast')).toMatchObject({ phase: 'complete' });
    expect(whyOf(rows, 'last')).toBe('it builds on task slow, whose work is new');
    expect(onDisk(at)).toEqual(before);

    at.plan(tasks.map((task) => (task.id === 'slow' ? { ...task, title: 'other' } : task)));
    const taken = await at.atelier(['resume', '--dry-run', '--take-plan', '--json']);
    const now = (read(resume, taken.stdout) as { tasks: readonly Fated[] }).tasks;
    expect(whyOf(now, 'slow')).toBe('its text has changed: attempt 1 is ended and counts');
    expect(onDisk(at)).toEqual(before);
  });
});

describe('the schema of the preview', () => {
  it('has what atelier plan prints of plans that stand and of plans that do not', async () => {
    const at = sceneWithSpec('all.txt');
    const print = async (...args: string[]) => read(plan, (await at.atelier(args)).stdout);
    const reviewed = [
      ...TASKS,
      {
        id: 'beside',
        parallel_group: 3,
        writes: ['beside.txt'],
        reads: ['all.txt'],
        difficulty: 'high',
      },
      { id: 'judge', parallel_group: 3, reviews: 'one', assigned_persona: 'code-reviewer' },
      { id: 5, parallel_group: 3 },
      { id: 'over', status: 'complete', parallel_group: 1 },
    ].map((task) => ({ assigned_persona: 'fullstack-engineer', ...task }));
    expect(await print('plan', at.plan(reviewed), '--json')).toMatchObject({
      ...{ version: 1, ok: true, live: 7, schedule: 'parallel' },
      warnings: expect.arrayContaining([expect.objectContaining({ code: 'read-overlap' })]),
    });
    const codex = await print(
      'plan',
      at.plan(TASKS),
      '--json',
      '--agent',
      'codex',
      '--schedule',
      'pipeline',
    );
    expect([codex.schedule, codex.spend.costUsd]).toEqual(['pipeline', null]);
    expect(await print('plan', at.plan([{ id: 'a' }]), '--json')).toMatchObject({ ok: false });
    expect(await print('plan', at.plan([{ id: 'a', status: 'held' }]), '--json')).toMatchObject({
      ...{ ok: true, waves: [] },
    });
  });
});
