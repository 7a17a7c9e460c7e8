import assert from 'node:assert/strict';
import type { ConformanceCase } from '../conformance-case.ts';
import { type Ended, storyCase } from './drama.ts';
import type { Step, Story } from './story.ts';
import type { SystemFixture } from './system-fixture.ts';

/** One host, undisturbed. */
const told = (
  name: string,
  story: Story,
  prove: (ended: Ended) => void = () => undefined,
): ConformanceCase<SystemFixture> =>
  storyCase(name, story, async (drama) => {
    prove(await drama.ended(drama.host()));
    await drama.gone();
  });

const one = (...steps: readonly Step[]): Pick<Story, 'tasks' | 'steps'> => ({
  tasks: [{ id: 'a', parallel_group: 1 }],
  steps: { a: steps },
});

const attempts = (expected: number) => (ended: Ended) =>
  assert.deepEqual(
    ended.report.outcomes.map((outcome) => outcome.attempts),
    [expected],
  );

const never = (step: Step, what: string): ConformanceCase<SystemFixture> =>
  told(
    `${what} never counts: it costs one attempt`,
    { ...one(step, 'done'), ends: { a: 'done' } },
    attempts(2),
  );

/** Long enough for any machine to have started a process that answers at once. */
const AMPLE_MS = 8_000;

/** The least that a policy takes. */
const SHORT_MS = 1_000;

/** How tasks end, in a run that nothing disturbs. */
export const ENDING_CASES: readonly ConformanceCase<SystemFixture>[] = [
  told(
    'three waves run in order, each behind a barrier',
    {
      tasks: [
        { id: 'a', parallel_group: 1 },
        { id: 'b', parallel_group: 1 },
        { id: 'c', parallel_group: 2, depends_on: ['a'] },
        { id: 7, parallel_group: 3 },
      ],
      steps: { b: ['late'] },
      ends: { a: 'done', b: 'done', c: 'done', 7: 'done' },
    },
    ({ report }) => {
      assert.equal(report.verdict, 'complete');
      assert.equal(report.dispatches, 4);
    },
  ),
  told('no more workers run at once than allowed', {
    tasks: ['a', 'b', 'c', 'd'].map((id) => ({ id, parallel_group: 1 })),
    policy: { maxWorkers: 2 },
    ends: { a: 'done', b: 'done', c: 'done', d: 'done' },
  }),
  told(
    'a failed attempt is tried again',
    { ...one('crash', 'exit-without-reply', 'done'), ends: { a: 'done' } },
    attempts(3),
  ),
  told(
    'a spent budget ends in capacity and one escalation with what survives',
    {
      tasks: [
        { id: 'a', parallel_group: 1 },
        { id: 'b', parallel_group: 1 },
      ],
      steps: { a: ['crash'] },
      policy: { maxAttempts: 2 },
      ends: { a: 'engine-abandon capacity', b: 'done' },
    },
    ({ report }) => {
      assert.equal(report.verdict, 'abandoned');
      const [escalation, ...more] = report.escalations;
      assert.deepEqual(more, []);
      assert.equal(escalation?.category, 'capacity');
      assert(escalation.surviving_state?.outstanding_tasks.includes('a'));
    },
  ),
  ...(['blocked', 'needs-input'] as const).flatMap((step) => [
    told(
      `${step} is tried again until the budget is spent`,
      { ...one(step), policy: { maxAttempts: 2 }, ends: { a: 'engine-abandon capacity' } },
      attempts(2),
    ),
    told(
      `${step} is held at once where the policy says so`,
      { ...one(step), policy: { onHeld: 'close' }, ends: { a: `held ${step}` } },
      attempts(1),
    ),
  ]),
  told(
    'a worker that gives up ends its task, and takes along all that depend on it',
    {
      tasks: [
        { id: 'a', parallel_group: 1 },
        { id: 'b', parallel_group: 2, depends_on: ['a'] },
        { id: 'c', parallel_group: 3, depends_on: ['b'] },
        { id: 'd', parallel_group: 3 },
      ],
      steps: { a: ['abandoned'] },
      ends: {
        a: 'worker-abandon scope',
        b: 'engine-abandon blocked',
        c: 'engine-abandon blocked',
        d: 'done',
      },
    },
    ({ report }) => {
      assert.equal(report.dispatches, 2);
      assert.equal(report.escalations.length, 3);
    },
  ),
  told(
    'a worker that hangs is ended at its wall clock, and its task is tried again',
    {
      ...one('hang'),
      policy: { maxAttempts: 2, wallClockMs: SHORT_MS },
      ends: { a: 'engine-abandon capacity' },
    },
    ({ events }) => {
      const causes = events.flatMap((event) =>
        event.type === 'attempt.closed' && event.closure.kind === 'failed'
          ? [event.closure.cause]
          : [],
      );
      assert.deepEqual(causes, ['timeout', 'timeout']);
    },
  ),
  told(
    'a confirming read saves the reply of a worker that hangs after it',
    { ...one('reply-then-hang'), policy: { wallClockMs: AMPLE_MS }, ends: { a: 'done' } },
    attempts(1),
  ),
  told(
    'a worker that can not be started costs one attempt of its task alone',
    {
      tasks: [
        { id: 'a', parallel_group: 1 },
        { id: 'b', parallel_group: 1 },
      ],
      steps: { a: ['refuse', 'done'] },
      ends: { a: 'done', b: 'done' },
    },
    ({ report }) => assert.equal(report.dispatches, 3),
  ),
  never('wrong task', 'a reply of another task'),
  never('wrong attempt', 'a reply of another attempt'),
  never('forged', 'a reply in the words of the engine'),
  never('no status', 'a reply with a status of its own'),
  never('garbage', 'garbage'),
];
