import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { startModelServer } from '@atelier/model-server';
import { openStore } from '@atelier/store-sqlite';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { killAll, scene as newScene, processesOf, type Scene, workerOf } from './host-process.ts';

// Each of them starts several hosts.
vi.setConfig({ testTimeout: 240_000 });

const FETCH = join(import.meta.dirname, '../../../tooling/setup/fetch-agents.mjs');

const scenes: Scene[] = [];

const scene = (name?: string): Scene => {
  const at = newScene(name);
  scenes.push(at);
  return at;
};

/** A test that fails half-way must not leave the worker of a killed host behind. */
afterEach(() => {
  for (const at of scenes.splice(0)) killAll(at);
});

const task = (id: string, more: object = {}) => ({
  ...{ id, parallel_group: 1, title: `Write ${id}`, description: 'One line.' },
  writes: [`./${id}.txt`],
  ...more,
});

const GOOD = {
  goal: 'overwritten',
  tasks: [
    task('a', { reads: ['README.md'] }),
    task('b', { parallel_group: 2, reads: ['a.txt'], depends_on: ['a'] }),
  ],
};

/** Three defects, one of them only known to whoever has seen the clone. */
const BAD = {
  tasks: [
    task('a', { depends_on: ['nobody'] }),
    task('b', { parallel_group: 0 }),
    task('c', { reads: ['not-there.md'] }),
  ],
};

/** A planner that proposes these, one after the other. */
const proposing = (...documents: unknown[]) => `
  let told = ''; for await (const part of process.stdin) told += part;
  const second = told.includes('# The proposal before this one');
  const documents = ${JSON.stringify(documents.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))))};
  reply({ status: 'done', artifacts: [{ path: 'plan.json' }], notes_md: documents[second ? 1 : 0] });`;

const planFrom = (at: Scene, body: string, ...more: string[]) =>
  at.atelier(['plan', '--from', 'Serve tea', ...at.agent(body), '-o', fileOf(at), ...more]);

const fileOf = ({ folder }: Scene) => join(folder, 'atelier.plan.json');

/** Everything of the clone but the journal: files, refs, worktrees, config. */
const cloneOf = ({ repo, git }: Scene) =>
  [
    ...readdirSync(repo).sort(),
    readFileSync(join(repo, 'README.md'), 'utf8'),
    git('status', '--porcelain=v2', '--branch'),
    git('for-each-ref'),
    git('worktree', 'list'),
    git('count-objects'),
    readFileSync(join(repo, '.git/config'), 'utf8'),
  ].join('\n');

const schema = createRequire(import.meta.url).resolve('@atelier/reporters/preview.schema.json');

/** What was printed, which is as the published schema has it. */
function jsonOf(text: string) {
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true });
  ajv.addSchema(JSON.parse(readFileSync(schema, 'utf8')), 'preview');
  const matches = ajv.getSchema('preview#/$defs/from');
  const value = JSON.parse(text.trim().split('\n').at(-1) ?? '');
  expect([matches?.(value), matches?.errors]).toEqual([true, null]);
  return value;
}

/** Every run of the journal: its name, its verdict, and the attempts that it charged. */
function runsOf({ repo }: Scene) {
  const store = openStore({ path: join(repo, '.git/atelier/atelier.db') });
  try {
    return store.runs().map(({ run_id: id, verdict }) => ({
      id,
      verdict,
      attempts: store.attempts(id).length,
    }));
  } finally {
    store.close();
  }
}

/** What the planner of a run was told on its standard input. */
const briefingOf = ({ stateDir }: Scene, run: string): string => {
  const paths = readdirSync(stateDir, { recursive: true }).map(String);
  const stdin = paths.find((path) => path.includes(run) && path.endsWith('/stdin'));
  return readFileSync(join(stateDir, stdin ?? 'none'), 'utf8');
};

/** What is left of the checkouts that planners were lent. */
const lentIn = ({ stateDir }: Scene): string[] =>
  existsSync(stateDir)
    ? readdirSync(stateDir, { recursive: true })
        .map(String)
        .filter((path) => /\/project(\/|$)/.test(path))
    : [];

describe('atelier plan --from', () => {
  it('writes a checked plan that atelier run takes, and dispatches nothing of it', async () => {
    const at = scene('täa with space');
    writeFileSync(join(at.repo, 'README.md'), 'edited by the user\n');
    const before = cloneOf(at);
    const ended = await planFrom(at, proposing(GOOD));
    expect([ended.code, ended.stderr]).toEqual([0, expect.stringContaining('proposal 1: ')]);
    expect(ended.stdout).toContain('2 tasks in 2 waves. Nothing was dispatched.');
    const written = JSON.parse(readFileSync(fileOf(at), 'utf8'));
    expect(written).toEqual({
      $schema: expect.stringContaining('plan.schema.json'),
      goal: 'Serve tea',
      tasks: [
        { ...GOOD.tasks[0], writes: ['a.txt'] },
        { ...GOOD.tasks[1], writes: ['b.txt'] },
      ],
    });
    expect(cloneOf(at)).toBe(before);
    expect([processesOf(at), lentIn(at)]).toEqual([[], []]);
    expect(runsOf(at)).toEqual([
      { id: expect.stringMatching(/^plan-/), verdict: 'complete', attempts: 1 },
    ]);
    // It is an attempt like any other to whoever counts them.
    const cost = JSON.parse((await at.atelier(['cost', '--all', '--json'])).stdout);
    expect(cost.total.attempts).toBe(1);
    const run = await at.atelier(['run', fileOf(at), ...at.agent('done();')]);
    expect([run.code, run.stdout]).toEqual([0, expect.stringContaining('2 of 2 tasks done')]);
  });

  it('sends a refused proposal back once, with every defect, and the planner sees goal and files', async () => {
    const at = scene();
    // Who reviews does so in the wave of the work, whatever its own group.
    const [a, b] = GOOD.tasks;
    const critic = task('critic', { parallel_group: 3, reviews: 'b', writes: [] });
    const pair = [
      { ...b, assigned_persona: 'backend-engineer' },
      { ...critic, assigned_persona: 'code-reviewer' },
    ];
    const good = { ...GOOD, tasks: [a, ...pair] };
    const ended = await planFrom(at, proposing(BAD, good), '--json');
    expect(ended.code).toBe(0);
    const { runs, ...told } = jsonOf(ended.stdout);
    expect(told).toEqual({ version: 1, ok: true, file: fileOf(at), tasks: 3, waves: 2 });
    expect(runs).toHaveLength(2);
    const [first = '', second = ''] = runs.map((run: string) => briefingOf(at, run));
    expect(first).toContain('<<< goal\n| Serve tea\n>>>');
    expect(first).toContain('<<< files\n| "README.md"\n>>>');
    expect(first).not.toContain('# The proposal before this one');
    for (const defect of ['nobody', 'tasks[1].parallel_group', 'not-there.md'])
      expect(second.slice(second.indexOf('<<< defects'))).toContain(defect);
    // Going back once is no matter for a person.
    expect(ended.stderr).not.toContain('escalation');
  });

  it('two refused proposals: exit 3 with the defects, an escalation, and the last one kept', async () => {
    const at = scene();
    const before = cloneOf(at);
    const ended = await planFrom(at, proposing(BAD, BAD));
    expect(ended.code).toBe(3);
    expect(ended.stderr).toContain('no plan (dag-invalid): 2 proposals were refused');
    expect(ended.stderr).toContain('tasks[2].reads[0]');
    expect(ended.stderr.match(/^WARNING escalation/gm)).toHaveLength(1);
    expect(existsSync(fileOf(at))).toBe(false);
    expect(JSON.parse(readFileSync(`${fileOf(at)}.refused`, 'utf8'))).toEqual(BAD);
    expect(runsOf(at)).toMatchObject([{ verdict: 'complete' }, { verdict: 'abandoned' }]);
    expect([cloneOf(at), lentIn(at)]).toEqual([before, []]);
  });

  it('hostile JSON and a question are synthesis failures, without another attempt', async () => {
    const at = scene();
    const bodies = [
      ['__proto__', proposing('{"tasks":[],"__proto__":{"polluted":1}}', GOOD)],
      ['Green or', "reply({ status: 'needs-input', artifacts: [], notes_md: 'Green or black?' });"],
    ] as const;
    for (const [why, body] of bodies) {
      const ended = await planFrom(at, body, '--json');
      expect([ended.code, jsonOf(ended.stdout)]).toMatchObject([
        3,
        { ok: false, kind: 'synthesis-failure', attempts: 1, detail: expect.stringContaining(why) },
      ]);
    }
    expect(runsOf(at)).toMatchObject([{ verdict: 'abandoned' }, { verdict: 'abandoned' }]);
    expect(existsSync(fileOf(at))).toBe(false);
  });

  it('the planner can read the project and git, and write to neither it nor the clone', async () => {
    const at = scene();
    const before = cloneOf(at);
    const body = `
      import { execFileSync } from 'node:child_process';
      const seen = [];
      seen.push(readFileSync('README.md', 'utf8'), execFileSync('git', ['show', 'HEAD:README.md'], { encoding: 'utf8' }));
      for (const path of ['new.txt', 'README.md', '.git'])
        try { writeFileSync(path, 'x'); seen.push('wrote ' + path); } catch {}
      // Inside the walls there is nothing of the clone but what git reads.
      for (const path of ['planted.txt', '.git/planted', '.git/objects/planted'])
        try { writeFileSync('${at.repo}/' + path, 'x'); } catch {}
      try { seen.push('read ' + readFileSync('${at.folder}/plan.json')); } catch {}
      const plan = ${JSON.stringify(GOOD)};
      const [first, ...more] = plan.tasks;
      const tasks = [{ ...first, 'x-seen': seen }, ...more];
      reply({ status: 'done', notes_md: JSON.stringify({ ...plan, tasks }) });`;
    at.plan([]);
    const ended = await planFrom(at, body);
    expect(ended).toMatchObject({ code: 0 });
    const [{ 'x-seen': seen }] = JSON.parse(readFileSync(fileOf(at), 'utf8')).tasks;
    expect(seen).toEqual(['hello\n', 'hello\n']);
    expect(cloneOf(at)).toBe(before);
  });

  it('without walls, a planner that changes a file has failed', async () => {
    const at = scene();
    const before = cloneOf(at);
    const body = `writeFileSync('README.md', 'mine now'); ${proposing(GOOD)}`;
    const bare = join(at.folder, 'bin');
    mkdirSync(bare);
    for (const name of ['git', 'timeout', 'flock', 'sh'])
      symlinkSync(`/usr/bin/${name}`, join(bare, name));
    const args = ['plan', '--from', 'Serve tea', ...at.agent(body), '-o', fileOf(at)];
    const ended = await at.atelier(args, { PATH: bare, ATELIER_CLI_ALLOW_UNSANDBOXED: '1' });
    expect([ended.code, ended.stderr]).toEqual([
      3,
      expect.stringContaining('the planner changed files of the project'),
    ]);
    expect(existsSync(fileOf(at))).toBe(false);
    expect(cloneOf(at)).toBe(before);
  });

  it('never replaces a file without --force, and refuses before anything is charged', async () => {
    const at = scene();
    writeFileSync(fileOf(at), 'precious');
    const refused = await planFrom(at, proposing(GOOD));
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--force')]);
    expect(readFileSync(fileOf(at), 'utf8')).toBe('precious');
    expect(existsSync(join(at.repo, '.git/atelier'))).toBe(false);
    const forced = await planFrom(at, proposing(GOOD), '--force');
    expect(forced.code).toBe(0);
    expect(JSON.parse(readFileSync(fileOf(at), 'utf8'))).toMatchObject({ goal: 'Serve tea' });
  });

  it('a host that is killed leaves the clone as it was; the next one ends its worker and its run', async () => {
    const at = scene();
    const before = cloneOf(at);
    const args = (body: string) => ['plan', '--from', 'x', ...at.agent(body), '-o', fileOf(at)];
    const { child, ended } = at.start(args('await sleep(600000);'));
    await workerOf(at);
    child.kill('SIGKILL');
    await ended;
    expect([cloneOf(at), existsSync(fileOf(at))]).toEqual([before, false]);
    const next = await at.atelier(args(proposing(GOOD)));
    expect(next.code).toBe(0);
    expect([processesOf(at), lentIn(at), cloneOf(at)]).toEqual([[], [], before]);
    // What the killed one had charged stays charged.
    expect(runsOf(at)).toMatchObject([
      { verdict: 'abandoned', attempts: 1 },
      { verdict: 'complete', attempts: 1 },
    ]);
  });

  it('a run, too, ends the planner of a host that was killed: nobody has to ask for a plan again', async () => {
    const at = scene();
    const args = ['plan', '--from', 'x', ...at.agent('await sleep(600000);'), '-o', fileOf(at)];
    const { child, ended } = at.start(args);
    await workerOf(at);
    child.kill('SIGKILL');
    await ended;
    const run = ['run', at.plan([{ id: 'a', parallel_group: 1 }]), '--run-mode', 'balanced'];
    expect((await at.atelier([...run, ...at.agent('done();')])).code).toBe(0);
    expect([processesOf(at), lentIn(at)]).toEqual([[], []]);
    expect(runsOf(at)).toMatchObject([{ verdict: 'abandoned' }, { verdict: 'complete' }]);
  });

  it('Ctrl-C: exit 5, the planner ended, nothing left that waits to be resumed', async () => {
    const at = scene();
    const body = 'await sleep(600000);';
    const { child, ended } = at.start(['plan', '--from', 'x', ...at.agent(body), '-o', fileOf(at)]);
    await workerOf(at);
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 5 });
    expect([processesOf(at), lentIn(at)]).toEqual([[], []]);
    expect((await at.atelier(['resume'])).stderr).toContain(
      'no run of this repository is unfinished',
    );
  });

  it('the real claude program proposes a plan, paid for through the proxy', async () => {
    const fetched = execFileSync(process.execPath, [FETCH], { encoding: 'utf8' }).trim();
    const envelope = {
      status: 'done',
      artifacts: [{ path: 'plan.json' }],
      notes_md: JSON.stringify(GOOD),
    } as const;
    const server = await startModelServer([
      { marker: '[[plan]]', turns: [{ kind: 'reply', envelope }] },
    ]);
    const at = scene();
    const ended = await at
      .atelier(['plan', '--from', '[[plan]]', '-o', fileOf(at), '--json'], {
        PATH: `${dirname(fetched)}:${process.env['PATH']}`,
        ANTHROPIC_BASE_URL: server.url,
        ANTHROPIC_API_KEY: 'dummy-key',
      })
      .finally(() => server.close());
    expect([ended.code, jsonOf(ended.stdout)]).toMatchObject([0, { ok: true, tasks: 2 }]);
    expect(server.requests.map(({ apiKey }) => apiKey)).toContain('dummy-key');
    const cost = JSON.parse((await at.atelier(['cost', '--json'])).stdout);
    expect(cost.total.costUsd).toBeGreaterThan(0);
    // The first fetch is a download.
  }, 900_000);
});
