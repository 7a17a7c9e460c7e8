import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type FakeLoom, startFakeLoom } from '@atelier/fake-loom';
import { afterEach, describe, expect, it } from 'vitest';
import { processesOf, type Scene, scene } from './host-process.ts';

const Database = createRequire(createRequire(import.meta.url).resolve('@atelier/store-sqlite'))(
  'better-sqlite3',
);

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

const chatServer = async (): Promise<FakeLoom> => {
  const loom = await startFakeLoom();
  endings.push(() => loom.close());
  return loom;
};

/** Writes down what it was called with, and one of its tasks gives up. */
const AGENT = `
writeFileSync(task + '.txt', JSON.stringify([process.argv.slice(2), Object.keys(process.env).sort()]));
writeFileSync(task + '.chat', String(readFileSync(0, 'utf8').includes('\\n# Team chat\\n')));
if (task === 'b') reply({ status: 'abandoned', notes_md: 'ABANDON: scope:too large' });
else reply({ status: 'done', notes_md: 'I made ' + task + '\\nand more' });
`;

const TASKS = [
  { id: 'a', parallel_group: 1, assigned_persona: 'backend-engineer' },
  { id: 'b', parallel_group: 1 },
  { id: 'c', parallel_group: 2, depends_on: ['b'] },
  { id: 'd', parallel_group: 2, depends_on: ['a'], assigned_persona: 'qa-engineer' },
];

const runOf = (at: Scene, env: Record<string, string> = {}, ...more: string[]) =>
  at.atelier(
    ['run', at.plan(TASKS), ...at.agent(AGENT), '--run-mode', 'balanced', '--json', ...more],
    env,
  );

/** What a run decided, without the moments and the names of the run. */
const decisions = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ type }) => ['task.completed', 'task.abandoned', 'attempt.accepted'].includes(type))
    .map(({ type, taskId, attempt, category }) => [type, taskId, attempt, category].join(' '))
    .sort();

const rowsOf = (at: Scene, sql: string): unknown[] => {
  const store = new Database(join(at.repo, '.git/atelier/atelier.db'), { readonly: true });
  try {
    return store.prepare(sql).all();
  } finally {
    store.close();
  }
};

describe('a run of a fresh clone', () => {
  it('leaves one team, a member for each persona with a copy of it, one gap per abandonment, and a report', async () => {
    const at = scene();
    expect((await at.atelier(['phase', 'advance', 'design:approved'])).code).toBe(0);
    const ended = await runOf(at);
    expect([ended.code, ended.stderr]).toEqual([
      3,
      expect.stringContaining('phase design:approved: the project is not led as a team'),
    ]);
    const [team] = rowsOf(at, 'SELECT run_id, lead_role, status FROM teams') as {
      run_id: string;
    }[];
    expect(team).toMatchObject({ lead_role: 'team-lead', status: 'closed' });
    expect(rowsOf(at, 'SELECT role_id, wave FROM team_members ORDER BY role_id')).toEqual([
      { role_id: 'backend-engineer', wave: 1 },
      { role_id: 'qa-engineer', wave: 2 },
      { role_id: 'team-lead', wave: 0 },
      { role_id: 'worker', wave: 1 },
    ]);
    expect(rowsOf(at, 'SELECT count(*) AS n FROM persona_snapshots')).toEqual([{ n: 4 }]);
    expect(
      rowsOf(at, "SELECT json_extract(payload, '$.gap_id') AS gap FROM team_audit_log ORDER BY id"),
    ).toEqual([{ gap: 'task-b' }, { gap: 'task-c' }]);
    const report = await at.atelier(['report', '--md']);
    expect(report.stdout).toMatch(
      /\| 1 \| a: t \| backend-engineer \| done \| 1 \| .*I made a …? \|/u,
    );
    expect(report.stdout).toContain('worker-abandon (scope)');
    expect(report.stdout).toContain('engine-abandon (blocked by b)');
    const record = JSON.parse((await at.atelier(['report', '--json'])).stdout);
    expect(
      record.tasks.map(({ taskId, kind }: { taskId: string; kind: string }) => [taskId, kind]),
    ).toEqual([
      ['a', 'done'],
      ['b', 'worker-abandon'],
      ['c', 'engine-abandon'],
      ['d', 'done'],
    ]);
    // Decision 39: not led as a team, it is recorded and moves nothing.
    expect(record.phase).toMatchObject({ before: 'design:approved', after: 'design:approved' });
  });
});

describe('a chat', () => {
  it('hard rule: no decision goes over the chat, and where it is up every briefing has it: on, off, dying in the middle and hanging, the same workers', {
    timeout: 240_000,
  }, async () => {
    const [on, dying, hanging] = [await chatServer(), await chatServer(), await chatServer()];
    dying.fail(({ method }) =>
      dying.messages().length > 2 && method !== 'initialize' ? 'reset' : undefined,
    );
    hanging.fail(({ method }) => (method === 'tools/call' ? 'hang' : undefined));
    const ways: Record<string, Record<string, string>> = {
      none: {},
      off: { ATELIER_LOOM_COMMS: '0', LOOM_MCP_URL: on.url },
      on: { LOOM_MCP_URL: on.url },
      dying: { LOOM_MCP_URL: dying.url },
      hanging: { LOOM_MCP_URL: hanging.url },
    };
    const seen = [];
    for (const [name, env] of Object.entries(ways)) {
      const at = scene();
      const before = on.connections();
      const { code, stdout } = await runOf(at, env);
      if (name === 'off') expect(on.connections()).toBe(before);
      const [branch = ''] = at
        .git('branch', '--list', 'atelier/*', '--format=%(refname)')
        .split('\n');
      const files = ['a', 'd'].map((task) => at.git('show', `${branch}:${task}.txt`));
      const told = ['a', 'd'].map((task) => at.git('show', `${branch}:${task}.chat`));
      if (name === 'on') expect(told).toEqual(['true', 'true']);
      if (name === 'none' || name === 'off') expect(told).toEqual(['false', 'false']);
      seen.push({
        code,
        decisions: decisions(stdout),
        files: files.map((text) => text.replaceAll(at.folder, '')),
      });
    }
    expect(seen[0]?.decisions).toHaveLength(6);
    for (const one of seen) expect(one).toEqual(seen[0]);

    const said = on.messages().map(({ sender, body }) => `${sender}: ${body}`);
    expect(said[0]).toBe('team-lead: test');
    const begin = said.findIndex((line) => line.includes('attempt 1 begins'));
    const goal = said.findIndex((line) => line.startsWith('team-lead: a: t'));
    expect(goal).toBeGreaterThan(0);
    expect(begin).toBeGreaterThan(goal);
    expect(said.some((line) => /^backend-engineer: .*I made a$/u.test(line))).toBe(true);
    expect(said.some((line) => line.includes('Escalated: task b, scope'))).toBe(true);
    expect(on.agents().map(({ status }) => status)).toEqual(on.agents().map(() => 'gone'));
    expect(on.sessions()).toBe(0);
  });

  it('hard rule: teardown is guaranteed: all are signed off when the run is interrupted', async () => {
    const loom = await chatServer();
    const at = scene();
    const host = at.start(
      ['run', at.plan(TASKS), ...at.agent('await sleep(60_000);'), '--run-mode', 'balanced'],
      { LOOM_MCP_URL: loom.url },
    );
    while (!loom.messages().some(({ body }) => body.includes('begins')))
      await new Promise((resolve) => setTimeout(resolve, 50));
    // TB-22: the host has seen the processes of both, and tells so on the wire.
    const beats = "SELECT DISTINCT sender_id AS role FROM bridge_messages WHERE kind = 'heartbeat'";
    while (rowsOf(at, beats).length < 2) await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await at.atelier(['status'])).stdout).toMatch(/ a +running +1 +alive \d+ s ago/u);
    host.child.kill('SIGINT');
    expect((await host.ended).code).toBe(5);
    expect(loom.agents().map(({ status }) => status)).toEqual(loom.agents().map(() => 'gone'));
    expect(loom.sessions()).toBe(0);
  });
});

describe('a project that is led as a team', () => {
  const TEAM = { ATELIER_DISPATCH_MODE: 'agent-team' };
  const phaseOf = async (at: Scene) => (await at.atelier(['phase', 'get'])).stdout.trim();
  const DONE = [{ id: 'a', parallel_group: 1 }];

  it('hard rule: a run never takes a project to review:open, nor past it: the gate comes first, and the phase goes as far as is earned', async () => {
    const at = scene();
    const plan = at.plan(DONE);
    const run = ['run', plan, ...at.agent('done();'), '--run-mode', 'balanced'];
    const denied = await at.atelier(run, TEAM);
    expect([denied.code, denied.stderr]).toEqual([2, expect.stringContaining('PHASE_GATE')]);
    expect(rowsOf(at, 'SELECT 1 FROM events')).toEqual([]);
    expect((await at.atelier(['plan', '--approve', plan])).code).toBe(0);
    expect((await at.atelier(run, TEAM)).code).toBe(0);
    expect(await phaseOf(at)).toContain('tdd:clean');
    expect((await at.atelier(['report'])).stdout).toContain('plan:approved → tdd:clean');
  });

  it('another plan than the approved one is let through only with a reason, and that is recorded first', async () => {
    const at = scene();
    expect((await at.atelier(['plan', '--approve', at.plan(DONE)])).code).toBe(0);
    const other = at.plan([{ id: 'other', parallel_group: 1 }]);
    const run = [
      'run',
      other,
      ...at.agent("reply({ status: 'abandoned', notes_md: 'ABANDON: scope:no' });"),
    ];
    const how = ['--run-mode', 'balanced'];
    const denied = await at.atelier([...run, ...how], TEAM);
    expect([denied.code, denied.stderr]).toEqual([
      2,
      expect.stringContaining('not the one that was approved'),
    ]);
    const forced = await at.atelier([...run, ...how, '--bypass-reason', 'urgent'], TEAM);
    expect(forced.code).toBe(3);
    expect(rowsOf(at, 'SELECT skill, reason FROM phase_bypasses')).toEqual([
      { skill: 'dev:dispatch', reason: 'urgent' },
    ]);
    // What another plan has come to says nothing of the approved one.
    expect(await phaseOf(at)).toContain('plan:approved');
  });
});

it('what nobody resolved is refused by later runs until it is answered, and the answer reaches the worker', async () => {
  const at = scene();
  const plan = at.plan([
    { id: 'b', parallel_group: 1 },
    { id: 'c', parallel_group: 2, depends_on: ['b'] },
  ]);
  const how = ['--run-mode', 'balanced'];
  const gives = at.agent(
    "reply({ status: 'abandoned', notes_md: 'ABANDON: scope:tabs or spaces?' });",
  );
  expect((await at.atelier(['run', plan, ...gives, ...how])).code).toBe(3);
  const [{ run_id: first } = { run_id: '' }] = rowsOf(at, 'SELECT run_id FROM runs') as {
    run_id: string;
  }[];
  expect((await at.atelier(['post-mortem', 'b', '--reason', 'nobody answers'])).code).toBe(0);
  const refused = await at.atelier(['run', plan, ...gives, ...how]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('task b was stopped after run');
  expect(refused.stderr).toContain('task c needs b, which was stopped');
  expect(rowsOf(at, 'SELECT count(*) AS n FROM runs')).toEqual([{ n: 1 }]);
  expect((await at.atelier(['retry', 'b', '--run', first, '--answer', 'Tabs, please.'])).code).toBe(
    0,
  );
  const reads = at.agent(
    `const briefing = readFileSync(0, 'utf8');
     const told = ['| ABANDON: scope:tabs or spaces?', '| Tabs, please.'].every((line) => briefing.includes(line));
     writeFileSync(task + '.txt', told ? 'told' : 'not told'); reply({ status: 'done' });`,
  );
  expect((await at.atelier(['run', plan, ...reads, ...how])).code).toBe(0);
  const branches = at
    .git('branch', '--list', 'atelier/*', '--format=%(refname)')
    .trim()
    .split('\n');
  const told = branches.filter((branch) =>
    at.git('ls-tree', '--name-only', branch).includes('b.txt'),
  );
  expect(
    told.map((branch) => ['b', 'c'].map((task) => at.git('show', `${branch}:${task}.txt`))),
  ).toEqual([['told', 'not told']]);
});

it('a run that was refused while it was set up does not hold the next one to its moment', async () => {
  const at = scene();
  const plan = at.plan([{ id: 'a', parallel_group: 1 }], {
    worktree: { setup: ['test -f ready'] },
  });
  const run = ['run', plan, ...at.agent('done();'), '--run-mode', 'balanced'];
  expect((await at.atelier(run)).stderr).toContain('SETUP_FAILED');
  writeFileSync(join(at.repo, 'ready'), '');
  at.git('add', '.');
  at.git('commit', '--quiet', '-m', 'ready');
  expect((await at.atelier(run)).code).toBe(0);
});

it('a team that met waits for its run; after a host was killed while it made the branch, the next run is another one', async () => {
  const at = scene();
  const plan = at.plan([{ id: 'a', parallel_group: 1 }]);
  const notes = join(at.folder, 'notes.yaml');
  writeFileSync(notes, 'turns: [{ by: human, says: go }]\nsummary: We go.\n');
  const met = async () => {
    expect((await at.atelier(['meet', plan, '--minutes', notes])).code).toBe(0);
    const teams = rowsOf(at, 'SELECT run_id FROM teams ORDER BY created_at') as {
      run_id: string;
    }[];
    return teams.at(-1)?.run_id ?? '';
  };
  const run = ['run', plan, ...at.agent('done();'), '--run-mode', 'balanced'];
  const waiting = await met();
  expect((await at.atelier(run)).stdout).toContain(`Run ${waiting}: complete`);
  expect((await at.atelier(['report'])).stdout).toContain('We go.');
  const killed = await met();
  at.git('branch', `atelier/${killed}`);
  writeFileSync(join(at.repo, 'later'), '');
  at.git('add', '.');
  at.git('commit', '--quiet', '-m', 'later');
  // Git packs refs by itself.
  at.git('pack-refs', '--all');
  const { code, stdout } = await at.atelier([...run, '--no-replay']);
  expect([code, stdout.includes(killed)]).toEqual([0, false]);
});

it('a run whose host was killed while it was set up is the next run: its team need not meet again, and nothing is left of it', async () => {
  const at = scene();
  const TMPDIR = join(at.folder, 'tmp');
  mkdirSync(TMPDIR);
  const run = (setup: string) => [
    ...['run', at.plan([{ id: 'a', parallel_group: 1 }], { worktree: { setup: [setup] } })],
    ...[...at.agent('done();'), '--run-mode', 'balanced'],
  ];
  const { child, ended } = at.start(run('touch begun; sleep 61'), { TMPDIR });
  const made = () => (existsSync(at.stateDir) ? readdirSync(at.stateDir, { recursive: true }) : []);
  while (!made().some((path) => String(path).endsWith('/begun')))
    await new Promise((resolve) => setTimeout(resolve, 20));
  child.kill('SIGKILL');
  await ended;
  const [killed = ''] = at.git('branch', '--list', 'atelier/*', '--format=%(refname)').split('\n');
  const next = await at.atelier(run('true'), { TMPDIR });
  expect(next.stdout).toContain(`Run ${killed.replace('refs/heads/atelier/', '')}: complete`);
  expect(at.git('branch', '--list', 'atelier/*').trimEnd().split('\n')).toHaveLength(1);
  expect(at.git('worktree', 'list').trimEnd().split('\n')).toHaveLength(1);
  expect([readdirSync(TMPDIR), processesOf(at)]).toEqual([[], []]);
});

it('what comes after a run and was not all done is done by resume, which need not be told the run', async () => {
  const at = scene();
  expect((await at.atelier(['phase', 'get'])).code).toBe(0);
  const change = (sql: string) => {
    const store = new Database(join(at.repo, '.git/atelier/atelier.db'));
    store.exec(sql);
    store.close();
  };
  // As if its host were killed at this very row, which is after the run has finished.
  change(
    `CREATE TRIGGER killed BEFORE INSERT ON outcome_records BEGIN SELECT RAISE(ABORT, 'killed'); END`,
  );
  const plan = at.plan([{ id: 'a', parallel_group: 1 }]);
  const run = ['run', plan, ...at.agent('done();'), '--run-mode', 'balanced'];
  expect(await at.atelier(run)).toMatchObject({ code: 0 });
  expect((await at.atelier(['report'])).stderr).toMatch(/^NO_REPORT: .*atelier resume 2/u);
  change('DROP TRIGGER killed');
  const resumed = await at.atelier(['resume']);
  expect([resumed.code, resumed.stderr.includes('attempt')]).toEqual([0, false]);
  expect((await at.atelier(['report'])).stdout).toContain('complete on');
  expect((await at.atelier(['resume'])).stderr).toMatch(/^NOTHING_TO_RESUME: /u);
});

it('a persona that nobody knows is refused by name, with a near one', async () => {
  const at = scene();
  const plan = at.plan([{ id: 'a', parallel_group: 1, assigned_persona: 'backend-enginer' }]);
  const { code, stderr } = await at.atelier(['run', plan, ...at.agent('done();')]);
  expect(code).toBe(2);
  expect(stderr).toContain('backend-enginer');
  expect(stderr).toContain('Did you mean "backend-engineer"?');
});
