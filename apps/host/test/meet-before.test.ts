import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { type FakeLoom, startFakeLoom } from '@atelier/fake-loom';
import type { LoomCounters } from '@atelier/loom-comms';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type TeamScene, teamScene } from './team-scene.ts';

// Each turn and each attempt is a process behind walls.
vi.setConfig({ testTimeout: 180_000 });

let at: TeamScene;
beforeEach(() => {
  at = teamScene();
});
afterEach(() => at.remove());

const task = (id: string, more: object = {}) => ({
  ...{ id, parallel_group: 1, title: 't', description: 'd', writes: [`${id}.txt`] },
  ...more,
});

const plan = (tasks: readonly object[], more: object = {}) =>
  at.file('plan.json', JSON.stringify({ goal: 'Serve tea', tasks, ...more }));

/** An agent that speaks when it is asked to in a meeting, and else does its task. `who` is undefined for a task. */
function agent(speaks: string): string[] {
  const script = at.file(
    'agent.mjs',
    `import { renameSync, writeFileSync } from 'node:fs';
    const { ATELIER_TASK_ID: task, ATELIER_ATTEMPT: attempt, ATELIER_REPLY_FILE: file } = process.env;
    let told = ''; for await (const part of process.stdin) told += part;
    const you = /^<<< you\\n\\| (.*)$/m.exec(told)?.[1];
    const who = you && JSON.parse(you);
    const reply = (notes_md) => {
      const whole = { type: 'task_result', task_id: task, attempt: Number(attempt), status: 'done', artifacts: ['a'], notes_md };
      writeFileSync(file + '.part', JSON.stringify(whole));
      renameSync(file + '.part', file);
    };
    const say = (turn) => reply(JSON.stringify(turn));
    if (who !== undefined) { ${speaks} }
    else { writeFileSync(task + '.txt', 'x'); reply('did it'); }`,
  );
  return ['--agent', `command:${process.execPath}`, '--agent-arg', script];
}

const AGREE = `say({ says: who + ' is fine with it', stand: 'agree', decisions: ['Keep it small'] });`;

const HANG = 'setTimeout(() => {}, 600_000);';

const run = (file: string, agents: string[], ...more: string[]) =>
  at.atelier(['run', file, ...agents, '--meet', '--json', '--run-mode', 'balanced', ...more]);

const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

const runsOf = () =>
  at.within(({ store }) => store.runs().map(({ run_id: id, verdict }) => ({ id, verdict })));

const meetingOf = (team: string) =>
  at.within(({ store }) => store.team.wire.messages({ teamId: team, mtype: 'meeting_done' }));

/** What hosts have left outside of the clone. */
const filesOf = (): string[] =>
  existsSync(at.stateHome) ? readdirSync(at.stateHome, { recursive: true, encoding: 'utf8' }) : [];

/** What the chat of a run is told of, in this order. */
const STAGES = ['Serve tea', 'is fine with it', 'attempt 1 begins'] as const;

const heardIn = (loom: FakeLoom) =>
  loom.messages().flatMap(({ body }) => STAGES.filter((stage) => body.includes(stage)));

/** A chat promises nothing to a machine that has no time for it: what it did not do it says, and the rest is in order. */
function expectInOrder(loom: FakeLoom, { attempted, delivered, failed }: LoomCounters): void {
  const heard = heardIn(loom);
  expect(heard).toEqual(STAGES.flatMap((stage) => heard.filter((one) => one === stage)));
  const lost = Object.values(failed).reduce((sum, count) => sum + count, 0);
  expect(delivered + lost).toBe(attempted);
  expect(STAGES.filter((stage) => !heard.includes(stage)).length).toBeLessThanOrEqual(lost);
}

it('meets before anything is dispatched, once; an interrupt of it is exit 5, nobody worked, and the same command goes on', async () => {
  const loom = await startFakeLoom();
  try {
    const env = { LOOM_MCP_URL: loom.url };
    const file = plan([task('a')]);
    const line = (body: string) =>
      at.atelier(['run', file, ...agent(body), '--meet', '--json', '--run-mode', 'balanced'], {
        env,
      });
    const stopping = line(HANG);
    while (!filesOf().some((path) => path.endsWith('/stdin')))
      await new Promise((resolve) => setTimeout(resolve, 200));
    process.emit('SIGHUP');
    const stopped = await stopping;
    expect(stopped.code).toBe(5);
    expect(stopped.stderr).toContain('stopping: the speaker is ended, and nothing is dispatched');
    expect(stopped.stderr).not.toContain('workers');
    // The stream of a run that has not begun ends like any other, and says why there is nothing to resume.
    expect(linesOf(stopped.stdout)).toEqual([
      {
        ...{ type: 'run.finished', verdict: 'interrupted', results: [], escalations: [] },
        not_begun: 'the meeting before the run was stopped',
      },
    ]);
    expect((await at.atelier(['resume'])).stderr).toContain('NOTHING_TO_RESUME');
    const [first] = await runsOf();
    const team = /^meet-(.*)-1$/u.exec(first?.id ?? '')?.[1] ?? '';
    expect(await meetingOf(team)).toEqual([]);

    // The meeting is over the plan that it was begun with.
    writeFileSync(file, JSON.stringify({ goal: 'Serve coffee', tasks: [task('a')] }));
    const other = await line(AGREE);
    expect([other.code, other.stderr]).toEqual([
      2,
      expect.stringContaining('MEETING_OF_ANOTHER_PLAN'),
    ]);
    expect(linesOf(other.stdout)).toMatchObject([{ type: 'run.finished', verdict: 'refused' }]);
    plan([task('a')]);

    const ended = await line(AGREE);
    expect(ended.code).toBe(0);
    expect(ended.stderr).toContain('meeting: Consensus.');
    const events = linesOf(ended.stdout);
    expect(new Set(events.flatMap(({ runId }) => runId ?? []))).toEqual(new Set([team]));
    expect(events.at(-1)).toMatchObject({ type: 'run.finished', verdict: 'complete' });
    expect(await runsOf()).toEqual([
      { id: `meet-${team}-1`, verdict: 'abandoned' },
      { id: `meet-${team}-2`, verdict: 'complete' },
      { id: team, verdict: 'complete' },
    ]);
    expect(await meetingOf(team)).toHaveLength(1);

    const record = JSON.parse((await at.atelier(['report', '--json'])).stdout);
    expect(record).toMatchObject({
      ...{ meeting: { decisions: ['Keep it small'] }, meetingCost: { attempts: 2 } },
    });
    expect((await at.atelier(['cost'])).stdout).toMatch(/^meeting .*\nbefore the run +2 /mu);
    expect((await at.atelier(['status'])).stdout).toContain('Its meeting took 2 turns');

    expectInOrder(loom, record.chat);
  } finally {
    await loom.close();
  }
});

it.each(STAGES)(
  'a chat that takes nothing like "%s" has the rest in order, and what it did not take is counted',
  async (refused) => {
    const loom = await startFakeLoom({
      fault: ({ args }) =>
        String(args?.['body']).includes(refused) ? { code: 'NOT_TAKEN_HERE' } : undefined,
    });
    try {
      const ended = await at.atelier(
        ['run', plan([task('a')]), ...agent(AGREE), '--meet', '--json', '--run-mode', 'balanced'],
        { env: { LOOM_MCP_URL: loom.url } },
      );
      expect([ended.code, ended.stderr]).toEqual([
        0,
        expect.stringContaining('meeting: Consensus.'),
      ]);
      const { chat } = JSON.parse((await at.atelier(['report', '--json'])).stdout);
      expect(chat.failed).toHaveProperty('NOT_TAKEN_HERE');
      expect(heardIn(loom)).not.toContain(refused);
      expectInOrder(loom, chat);
    } finally {
      await loom.close();
    }
  },
);

it('what a meeting uses is a part of the budget: it parks before a turn that is too much, and so does the run after it', async () => {
  const file = plan([task('a', { assigned_persona: 'backend-engineer' }), task('b')]);
  const agents = agent(AGREE);
  // Under balanced 12,000 tokens are 8,400: room for one turn that nobody meters, and that is thought to take 6,000.
  const parked = await run(file, agents, '--budget', '12k');
  expect(parked.code).toBe(4);
  expect(parked.stderr).toMatch(
    /MEETING_PARKED: the meeting before the run waits: the budget does not allow .*2400 output tokens of 8400 .* a larger --budget/u,
  );
  expect(linesOf(parked.stdout)).toMatchObject([
    { type: 'run.finished', verdict: 'parked', not_begun: expect.stringContaining('the budget') },
  ]);
  expect(await runsOf()).toMatchObject([{ verdict: 'complete' }]);
  // What earlier hosts have asked for counts.
  expect((await run(file, agents, '--budget', '12k')).code).toBe(4);
  expect(await runsOf()).toHaveLength(1);

  // It goes on with whoever has not spoken; what both have used leaves nothing for the first task.
  const dry = await run(file, agents, '--budget', '25k');
  expect(dry.code).toBe(4);
  expect(dry.stderr).toContain('meeting: Consensus.');
  const events = linesOf(dry.stdout);
  expect(events.at(-1)).toMatchObject({ type: 'run.finished', verdict: 'parked' });
  expect(events.at(-1)).not.toHaveProperty('not_begun');
  expect(events.filter(({ type }) => type === 'attempt.started')).toEqual([]);
  expect(await runsOf()).toHaveLength(3);

  // The run has begun, and holds no meeting any more.
  const resumed = await at.atelier(['resume', '--budget', '1m']);
  expect([resumed.code, await runsOf()]).toMatchObject([0, { length: 3 }]);
  const cost = JSON.parse((await at.atelier(['cost', '--json'])).stdout);
  expect([cost.total.attempts, cost.meeting.attempts]).toEqual([4, 2]);
});

it('the run of a plan that was changed after its meeting goes on, and says so; nobody meets again', async () => {
  const notes = at.file('notes.json', JSON.stringify({ turns: [], summary: 'We go.' }));
  expect((await at.atelier(['meet', plan([task('a')]), '--minutes', notes])).code).toBe(0);
  // It begins, and its budget has room for no attempt.
  const ended = await run(plan([task('b')]), agent(HANG), '--budget', '10');
  expect([ended.code, linesOf(ended.stdout).at(-1)]).toMatchObject([4, { verdict: 'parked' }]);
  expect(ended.stderr).toContain(
    'meeting: it was over this plan as it was before it was changed; the goal of both is "Serve tea"; the run goes on with this one\n',
  );
  expect(await runsOf()).toHaveLength(1);
  expect((await at.atelier(['report'])).stdout).toContain('We go.');
});
