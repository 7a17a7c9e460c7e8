import type { Task } from '@atelier/engine';
import { recordPostMortem } from '@atelier/team-behaviors';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { ME, teamScene } from '../../test/team-scene.ts';
import { answerTask } from '../team/answer-task.ts';
import { answersFor } from '../team/answers-for.ts';
import { stoppedTasks } from '../team/stopped-tasks.ts';

const at = teamScene();
afterAll(() => at.remove());
beforeEach(async () => {
  at.clear();
  await at.abandon('r-1', [{ id: 'api', parallel_group: 1 }]);
});

const ledger = (runId = 'r-1') =>
  at.within(({ store }) =>
    store.team.ledger
      .list({ teamId: runId })
      .map(({ eventType, payload: { gap_id, note, by } }) => ({ eventType, gap_id, note, by })),
  );

const stop = (...more: string[]) =>
  at.atelier(['post-mortem', 'api', '--reason', 'nobody answered', ...more]);

const PLAN: readonly Task[] = [
  { id: 'spec', parallel_group: 1, writes: ['spec.md'] },
  { id: 'api', parallel_group: 2, writes: ['api.ts'] },
  { id: 'ui', parallel_group: 3, depends_on: ['api'] },
  { id: 'docs', parallel_group: 4, reads: ['api.ts'] },
  { id: 'site', parallel_group: 5, depends_on: ['docs'] },
  { id: 'other', parallel_group: 5 },
  { id: 'over', parallel_group: 5, depends_on: ['api'], status: 'complete' },
];

const stopped = (tasks: readonly Task[] = PLAN) =>
  at.within((project) => stoppedTasks(project, tasks));

const API = { runId: 'r-1', task: 'api' };

it('an ack stamps the task as ever, and books the answer where the ledger has the escalation', async () => {
  const { code, stdout } = await at.atelier(['ack', 'api', '--answer', 'Use the old names.']);
  expect([code, stdout]).toEqual([
    0,
    'Noted for task api of run r-1. Its next briefing has the answer.\n',
  ]);
  expect((await ledger()).at(-1)).toEqual({
    ...{ eventType: 'persona_gap_ack', gap_id: 'task-api', note: 'Use the old names.', by: ME },
  });
  const [task] = await at.within(({ store }) => store.tasks('r-1'));
  expect(task?.abandoned_ack_at).not.toBeNull();
});

it('an ack where no ledger has the escalation is the stamp alone, and an answer that would be lost is refused', async () => {
  await at.abandon('r-2', [{ id: 'db', parallel_group: 1 }], { team: false });
  const lost = await at.atelier(['ack', 'db', '--answer', 'x']);
  expect([lost.code, lost.stderr]).toEqual([2, expect.stringContaining('Nothing was noted')]);
  const acked = () => at.within(({ store }) => store.tasks('r-2')[0]?.abandoned_ack_at);
  expect(await acked()).toBeNull();
  expect((await at.atelier(['ack', 'db'])).stdout).toBe('Noted for task db of run r-2.\n');
  expect(await acked()).not.toBeNull();
  expect(await ledger('r-2')).toEqual([]);
  expect((await at.atelier(['ack', 'api'])).stderr).toContain('STORE_NO_SUCH_TASK');
});

it('a post-mortem stops a task and all that waits for it, and names the way out', async () => {
  expect(await stopped()).toEqual([]);
  const { code, stdout } = await stop();
  expect([code, stdout]).toEqual([
    0,
    'Stopped: later runs refuse task api and what depends on it, until atelier ack api --run r-1 or atelier retry api --run r-1.\n',
  ]);
  const issues = await stopped();
  expect(issues.map(({ path }) => path)).toEqual(['tasks[1]', 'tasks[2]', 'tasks[3]', 'tasks[4]']);
  expect(issues[0]).toEqual({
    path: 'tasks[1]',
    message: expect.stringMatching(
      /^task api was stopped after run r-1, at \S+Z: nobody answered$/u,
    ),
    fix: 'Answer first: atelier ack api --run r-1, or atelier retry api --run r-1.',
  });
  expect(issues[3]?.message).toMatch(/^task site needs api, which was stopped /u);
});

it('a post-mortem is booked once for each time that the task stood open', async () => {
  await stop();
  expect((await stop()).stdout).toMatch(/^Task api is stopped already, until /u);
  expect(await ledger()).toHaveLength(2);
  await at.within((project) => answerTask('retry', project, { ...API, answer: undefined }));
  expect((await stop()).stdout).toMatch(/^Stopped: /u);
  expect(await stopped()).toHaveLength(4);
});

it.each(['ack', 'retry'])(
  '%s opens the line again, in the run where it was stopped',
  async (how) => {
    await at.abandon('r-2', [{ id: 'api', parallel_group: 1 }]);
    await at.within(({ store }) =>
      recordPostMortem({
        ...{ ledger: store.team.ledger, teamId: 'r-1' },
        ...{ gapId: 'task-api', reason: 'nobody answered' },
      }),
    );
    expect((await at.atelier([how, 'api'])).code).toBe(0);
    expect(await stopped()).toHaveLength(4);
    expect((await at.atelier([how, 'api', '--run', 'r-1'])).code).toBe(0);
    expect(await stopped()).toEqual([]);
  },
);

it('retry says that it opens the line, and starts nothing', async () => {
  const { code, stdout } = await at.atelier(['retry', 'api', '--answer', 'Try the new names.']);
  expect([code, stdout]).toEqual([
    0,
    'Task api of run r-1 is open: later runs may dispatch it again. Its next briefing has the answer.\n',
  ]);
  expect((await ledger()).at(-1)).toMatchObject({ eventType: 'persona_gap_retry', by: ME });
  expect(await at.within(({ store }) => store.runs())).toHaveLength(1);
});

it('what was never escalated is neither retried nor stopped', async () => {
  for (const args of [
    ['retry', 'ui'],
    ['post-mortem', 'ui', '--reason', 'r'],
  ]) {
    const { code, stdout, stderr } = await at.atelier(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('GAP_UNKNOWN');
  }
  expect((await stop('--run', 'r-9')).stderr).toContain('NO_SUCH_RUN');
  expect(await ledger()).toHaveLength(1);
});

it('an author whose reviewer is stopped is refused with it: nobody else can accept the work', async () => {
  await stop();
  const issues = await stopped([
    { id: 'code', parallel_group: 1 },
    { id: 'api', parallel_group: 1, reviews: 'code' },
    { id: 'free', parallel_group: 1 },
  ]);
  expect(issues.map(({ path }) => path)).toEqual(['tasks[0]', 'tasks[1]']);
});

it('a task of another title is another task, and what a run itself has stopped at has ended in it', async () => {
  await stop();
  expect(await stopped([{ id: 'api', title: 'Another API', parallel_group: 1 }])).toEqual([]);
  expect(await at.within((project) => stoppedTasks(project, PLAN, 'r-1'))).toEqual([]);
  expect(await stopped()).toHaveLength(4);
});

it('ids are compared as text, and are shown and not obeyed', async () => {
  await at.abandon('r-2', [{ id: 7, parallel_group: 1 }]);
  await at.atelier(['post-mortem', '7', '--reason', 'a\u001b[2Jb']);
  const [issue, ...more] = await stopped([{ id: '7', parallel_group: 1 }]);
  expect(more).toEqual([]);
  expect(issue?.message).toContain('a\\x1b[2Jb');
});

it('answers are those of people in all runs, the newest five, the latest last; the question is the worker’s own', async () => {
  await at.abandon('r-2', [
    { id: 'api', parallel_group: 1 },
    { id: 'db', parallel_group: 1 },
  ]);
  const said = await at.within((project) => {
    const say = (how: 'ack' | 'retry', runId: string, answer?: string, task = 'api') =>
      answerTask(how, project, { runId, task, answer });
    const answers = answersFor(project);
    expect(answers({ id: 'api' })).toEqual([]);
    say('ack', 'r-1');
    say('ack', 'r-1', 'one');
    say('retry', 'r-2', 'two');
    say('retry', 'r-2', 'of another task', 'db');
    say('ack', 'r-1', 'three');
    expect(answers({ id: 'api', title: 'Another API' })).toEqual([]);
    const first = answers({ id: 'api' });
    // Given while the run goes on, by whoever reads already.
    for (const answer of ['4', '5', '6', '7', '8']) say('ack', 'r-2', answer);
    return [first, answers({ id: 'api' }), answersFor(project)({ id: 'api' })];
  });
  expect(said[0]).toEqual(
    ['one', 'two', 'three'].map((answer) => ({
      question: 'ABANDON: scope:nobody said what is meant',
      answer,
    })),
  );
  expect(said[1]?.map(({ answer }) => answer)).toEqual(['4', '5', '6', '7', '8']);
  expect(said[2]).toEqual(said[1]);
});

it('a question that no worker wrote is told as it was escalated, and one that is too long is cut', async () => {
  await at.abandon('r-2', [
    { id: 'db', parallel_group: 1 },
    { id: 'site', parallel_group: 2, depends_on: ['db'] },
  ]);
  await at.abandon('r-3', [{ id: 'db', parallel_group: 1 }], {
    ...{ team: true, notes: `ABANDON: scope:no\n${'😀'.repeat(5_000)}` },
  });
  const [site, db] = await at.within((project) => {
    answerTask('ack', project, { runId: 'r-2', task: 'site', answer: 'Yes.' });
    answerTask('ack', project, { runId: 'r-3', task: 'db', answer: 'Yes.' });
    return ['site', 'db'].map((id) => answersFor(project)({ id })[0]?.question ?? '');
  });
  expect(site).toContain('task site was abandoned: category blocked');
  expect([...(db ?? '')]).toHaveLength(2_000);
});

it('a briefing asks the ledger twice, however many runs and tasks there were, and each run for its tasks once', async () => {
  for (const runId of ['r-2', 'r-3', 'r-4'])
    await at.abandon(runId, [{ id: 'api', parallel_group: 1 }]);
  await at.within((project) => {
    for (const runId of ['r-1', 'r-4'])
      answerTask('ack', project, { runId, task: 'api', answer: runId });
    const { counts, counted } = counting(project);
    const answers = answersFor(counted);
    for (const id of ['other', 'other', 'other']) expect(answers({ id })).toEqual([]);
    expect(counts).toEqual({ after: 6 });
    for (const _ of [1, 2, 3]) expect(answers({ id: 'api' })).toHaveLength(2);
    expect(counts).toEqual({ after: 12, tasks: 2, attempts: 2 });
  });
});

type Home = Parameters<typeof answersFor>[0];

/** The same store, and how often what of it was asked. */
function counting({ store, repository }: Home) {
  const counts: Record<string, number> = {};
  const counted = <Part extends object>(part: Part): Part =>
    new Proxy(part, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        counts[String(name)] = (counts[String(name)] ?? 0) + 1;
        return value;
      },
    });
  const { team } = store;
  const ledger = counted(team.ledger);
  return {
    counts,
    counted: { repository, store: counted({ ...store, team: { ...team, ledger } }) },
  };
}
