import assert from 'node:assert/strict';
import type { FailCause } from '../../core/closure.ts';
import type { RunEvent } from '../../core/event.ts';
import { type ConformanceCase, withFixture } from '../conformance-case.ts';
import { type Drama, dramaOf, storyCase } from './drama.ts';
import { startHost } from './host.ts';
import type { Cut } from './mortal.ts';
import type { Step, Story } from './story.ts';
import type { SystemFixture } from './system-fixture.ts';

/** A crash of the worker, as transports tell it; or nobody is left who could. */
const CRASHED: readonly FailCause[] = ['exit', 'transport', 'lost'];

/** Ended with its host; a transport may still know how. */
const ENDED: readonly FailCause[] = ['lost', 'exit', 'interrupted'];

/** Every kind of end but the slow ones; how it ends does not depend on which attempt a crash may take. */
const STORY: Story = {
  tasks: [
    { id: 'a', parallel_group: 1 },
    { id: 'b', parallel_group: 1 },
    { id: 'c', parallel_group: 2, depends_on: ['a'] },
    { id: 'd', parallel_group: 3, depends_on: ['c'] },
  ],
  steps: { b: ['crash', 'done'], c: ['abandoned'] },
  ends: { a: 'done', b: 'done', c: 'worker-abandon scope', d: 'engine-abandon blocked' },
  causes: { a: ENDED, b: [...CRASHED, ...ENDED], c: ENDED },
};

/** Side by side: most of a story is waiting. */
const LANES = 4;

/** Tells the story again and again, cut at every batch of it, until it ends before the cut. */
const cutEverywhere = (name: string, when: Cut['when']): ConformanceCase<SystemFixture> =>
  storyCase(
    name,
    STORY,
    async ({ open }) => {
      for (let from = 1; ; from += LANES) {
        const lanes = Array.from({ length: LANES }, (_, lane) =>
          withFixture(open, (fixture, wait) =>
            cutOnce(dramaOf(fixture, STORY, { wait, open }), { batch: from + lane, when }),
          ),
        );
        const wereCut = await Promise.all(lanes);
        if (wereCut.includes(false)) return;
      }
    },
    { reopen: true },
  );

/** False when the story was over before. */
async function cutOnce(drama: Drama, cut: Cut): Promise<boolean> {
  const { world, wait } = drama;
  const first = drama.host({ cut });
  const [end] = await Promise.allSettled([wait.within('the end of the first host', first.report)]);
  if (end.status === 'fulfilled') {
    await drama.ended(first);
    await drama.gone();
    return false;
  }
  assert.equal(end.reason?.code, 'JOURNAL_FAILED', `batch ${cut.batch}: ${end.reason}`);
  if (cut.when === 'refused') await drama.gone();
  const next = await drama.next();
  await drama.ended(startHost(world, next), next);
  if (next.transport.capabilities.adopt) await drama.gone();
  return true;
}

/** A story of one task, and what its failed attempt, if it has one, came to. */
const one = (
  steps: readonly Step[],
  causes: readonly FailCause[],
  policy: Story['policy'] = {},
): Story => ({
  ...{ tasks: [{ id: 'a', parallel_group: 1 }], ends: { a: 'done' }, policy },
  ...{ steps: { a: steps }, causes: { a: causes } },
});

/** One that hangs while the other gives the host something to write. */
const REFUSED: Story = {
  tasks: [
    { id: 'a', parallel_group: 1 },
    { id: 'b', parallel_group: 1 },
  ],
  steps: { a: ['hang', 'done'], b: ['late'] },
  ends: { a: 'done', b: 'done' },
  causes: { a: ENDED, b: ENDED },
};

/** A host that is killed once its first worker runs, and `meanwhile` before the next one comes. It has noticed nothing of its end. */
const killedOnceSpawned = (
  name: string,
  { story, attempts }: { readonly story: Story; readonly attempts: number },
  meanwhile: (drama: Drama) => Promise<unknown> = async () => undefined,
): ConformanceCase<SystemFixture> =>
  storyCase(
    name,
    story,
    async (drama) => {
      await stoppedOnceSpawned(drama, 'kill');
      await meanwhile(drama);
      const next = await drama.next();
      const { report } = await drama.ended(startHost(drama.world, next), next);
      assert.deepEqual(
        report.outcomes.map((outcome) => outcome.attempts),
        [attempts],
      );
      await drama.gone();
    },
    { reopen: true, adopt: true, alive: true },
  );

async function stoppedOnceSpawned(
  { host, wait }: Drama,
  how: 'kill' | 'refuse' | 'interrupt',
): Promise<void> {
  let spawned: () => void = () => undefined;
  const running = new Promise<void>((resolve) => {
    spawned = resolve;
  });
  const onEvent = ({ type }: RunEvent) => {
    if (type === 'attempt.spawned') spawned();
  };
  const first = host({ onEvent, deaf: how === 'kill' });
  await wait.within('a worker that runs', running);
  first[how]();
  const end = await wait.within('the end of the first host', Promise.allSettled([first.report]));
  assert.equal(end[0].status, how === 'interrupt' ? 'fulfilled' : 'rejected');
}

const untilGone = ({ world, wait }: Drama): Promise<true> =>
  wait.until('the end of the worker', async () => {
    for (const order of world.starts)
      if (((await world.fixture.alive?.(order)) ?? 0) > 0) return undefined;
    return true;
  });

/** What a run comes to whose host does not live to see it. */
export const CRASH_CASES: readonly ConformanceCase<SystemFixture>[] = [
  cutEverywhere(
    'a host killed before any batch of its run is written: the same outcomes',
    'before',
  ),
  cutEverywhere(
    'a host killed after any batch, with nothing done about it: the same outcomes',
    'after',
  ),
  cutEverywhere(
    'a journal that takes no more from any batch on: no worker is left, the same outcomes',
    'refused',
  ),
  killedOnceSpawned('a worker that outlives its host is adopted, and nothing is charged', {
    story: one(['late'], []),
    attempts: 1,
  }),
  killedOnceSpawned(
    'one that has replied while no host lived is accepted, and nothing is charged',
    { story: one(['done'], []), attempts: 1 },
    untilGone,
  ),
  killedOnceSpawned(
    'one that ended without a reply while no host lived is a lost attempt',
    { story: one(['crash', 'done'], CRASHED), attempts: 2 },
    untilGone,
  ),
  killedOnceSpawned('one that hangs is ended by the next host, at the wall clock that it had', {
    story: one(['hang', 'done'], ['timeout'], { wallClockMs: 3_000 }),
    attempts: 2,
  }),
  storyCase(
    'a journal that takes no more while a worker hangs: the worker is ended, the same outcomes',
    REFUSED,
    async (drama) => {
      await stoppedOnceSpawned(drama, 'refuse');
      await drama.gone();
      const next = await drama.next();
      await drama.ended(startHost(drama.world, next), next);
      await drama.gone();
    },
    { reopen: true, alive: true },
  ),
  storyCase(
    'an interrupted run leaves no worker, and is resumed',
    one(['hang', 'done'], ['interrupted']),
    async (drama) => {
      await stoppedOnceSpawned(drama, 'interrupt');
      await drama.gone();
      const { report } = await drama.ended(drama.host());
      assert.deepEqual([report.verdict, report.dispatches], ['complete', 2]);
      await drama.gone();
    },
  ),
  storyCase('a run that has ended is not run again', one(['done'], []), async (drama) => {
    const { events } = await drama.ended(drama.host());
    const again = await drama.ended(drama.host());
    assert.deepEqual(again.events, events);
  }),
];
