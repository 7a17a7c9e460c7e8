import assert from 'node:assert/strict';
import type { RunEvent } from '../core/event.ts';
import { checkPolicy } from '../core/policy.ts';
import type { TaskId } from '../core/task.ts';
import type { Journal } from '../shell/journal.ts';
import { type AnyFixture, type ConformanceCase, conformanceCase } from './conformance-case.ts';
import { charge, EVERY_FACT, events, fail, plan } from './journal-story.ts';

/** A journal under test, empty when it is handed over. */
export interface JournalFixture extends AnyFixture {
  readonly journal: Journal;
  /**
   * A fresh instance over the same storage, while the first stays open. Absent for a journal that lasts as long as its
   * instance; then the cases of a reopening are left out.
   */
  reopen?(): Journal | Promise<Journal>;
}

/** One promise of {@link Journal}. */
export type JournalCase = ConformanceCase<JournalFixture>;

const RUN = 'run-1';
const CONFLICT = { code: 'JOURNAL_CONFLICT' };

const loaded = async (journal: Journal, runId = RUN): Promise<RunEvent[]> => [
  ...(await journal.load(runId)),
];

async function refused(journal: Journal, batch: readonly RunEvent[]): Promise<void> {
  await assert.rejects(async () => journal.append(batch), CONFLICT);
}

const proof = (name: string, prove: (journal: Journal) => Promise<void>): JournalCase =>
  conformanceCase({ name, prove: ({ journal }, wait) => wait.within(name, prove(journal)) });

/** The same, for what only a second instance over the same storage can tell. */
const lastingProof = (
  name: string,
  prove: (journal: Journal, again: () => Promise<Journal>) => Promise<void>,
): JournalCase =>
  conformanceCase({
    name,
    leftOut: ({ reopen }) => (reopen ? undefined : 'the fixture has no reopen'),
    async prove(fixture, wait) {
      const again = async () => {
        const other = await fixture.reopen?.();
        assert(other, 'the fixture has no reopen');
        return other;
      };
      await wait.within(name, prove(fixture.journal, again));
    },
  });

/** One task's whole story under texts that storage likes to spoil. */
const storyOf = (id: TaskId, text: string): readonly RunEvent[] =>
  events(
    RUN,
    1,
    {
      type: 'run.started',
      tasks: [{ id, parallel_group: 1, title: text, reads: [text], note: { [text]: text } }],
      policy: checkPolicy(),
    },
    charge(id, 1),
    fail(id, 1, text),
    charge(id, 2),
    {
      type: 'attempt.accepted',
      taskId: id,
      attempt: 2,
      reply: {
        type: 'task_result',
        task_id: id,
        attempt: 2,
        status: 'done',
        artifacts: [text],
        notes_md: text,
      },
    },
    { type: 'task.completed', taskId: id, attempt: 2 },
  );

/** Appends such a story and reads it back, from the same instance and from another. */
const roundTrips = (name: string, id: TaskId, text: string): JournalCase[] => [
  proof(name, async (journal) => {
    const story = storyOf(id, text);
    await journal.append(story);
    assert.deepEqual(await loaded(journal), story);
  }),
  lastingProof(`${name}, after a reopening too`, async (journal, again) => {
    const story = storyOf(id, text);
    await journal.append(story);
    assert.deepEqual(await loaded(await again()), story);
  }),
];

/** The promises of {@link Journal}: each name is the clause it holds a journal to. */
export const journalConformance: readonly JournalCase[] = [
  proof('a run that was never started is empty', async (journal) => {
    assert.deepEqual(await loaded(journal, 'nobody'), []);
  }),
  proof('a batch is loaded back in order', async (journal) => {
    const batch = events(RUN, 1, plan('a'), charge('a', 1), fail('a', 1), charge('a', 2));
    await journal.append(batch);
    assert.deepEqual(await loaded(journal), batch);
  }),
  proof('batches continue one another', async (journal) => {
    const all = events(RUN, 1, plan('a'), charge('a', 1), fail('a', 1));
    for (const event of all) await journal.append([event]);
    assert.deepEqual(await loaded(journal), all);
  }),
  proof('every type of event comes back as it was', async (journal) => {
    const batch = events(RUN, 1, ...EVERY_FACT);
    await journal.append(batch);
    assert.deepEqual(await loaded(journal), batch);
  }),
  proof('an empty batch is a no-op', async (journal) => {
    await journal.append([]);
    const batch = events(RUN, 1, plan('a'));
    await journal.append(batch);
    await journal.append([]);
    assert.deepEqual(await loaded(journal), batch);
  }),
  proof('a batch of ten thousand events is taken whole', async (journal) => {
    const ids = Array.from({ length: 5_000 }, (_, index) => index);
    const facts = ids.flatMap((id) => [charge(id, 1), fail(id, 1)]);
    const batch = events(RUN, 1, plan(...ids), ...facts);
    await journal.append(batch);
    assert.deepEqual(await loaded(journal), batch);
  }),
  proof('two runs do not mix', async (journal) => {
    const one = events(RUN, 1, plan('a'), charge('a', 1));
    const two = events('run-2', 1, plan('a'), charge('a', 1), fail('a', 1));
    await journal.append(one);
    await journal.append(two);
    assert.deepEqual(await loaded(journal), one);
    assert.deepEqual(await loaded(journal, 'run-2'), two);
  }),
  proof('a loaded list does not grow with later batches', async (journal) => {
    const batch = events(RUN, 1, plan('a'));
    await journal.append(batch);
    const before = await journal.load(RUN);
    await journal.append(events(RUN, 2, charge('a', 1)));
    assert.deepEqual(before, batch);
  }),
  proof('a batch that its caller changes later is kept as it was', async (journal) => {
    const batch = events(RUN, 1, plan('a'), charge('a', 1));
    const copy = [...batch];
    await journal.append(batch);
    batch.length = 0;
    assert.deepEqual(await loaded(journal), copy);
  }),
  proof('a run that does not begin at seq 1 is refused', async (journal) => {
    await refused(journal, events(RUN, 2, plan('a')));
    await refused(journal, events(RUN, 0, plan('a')));
    assert.deepEqual(await loaded(journal), []);
  }),
  proof('a gap in seq is refused and nothing of the batch is written', async (journal) => {
    const kept = events(RUN, 1, plan('a'));
    await journal.append(kept);
    await refused(journal, [...events(RUN, 2, charge('a', 1)), ...events(RUN, 4, fail('a', 1))]);
    assert.deepEqual(await loaded(journal), kept);
  }),
  proof('a repeated seq is refused', async (journal) => {
    const kept = events(RUN, 1, plan('a'), charge('a', 1));
    await journal.append(kept);
    await refused(journal, events(RUN, 2, charge('a', 1)));
    await refused(journal, [...events(RUN, 3, fail('a', 1)), ...events(RUN, 3, fail('a', 1))]);
    assert.deepEqual(await loaded(journal), kept);
  }),
  proof('a conflict in one run undoes the whole batch', async (journal) => {
    const batch = [...events(RUN, 1, plan('a')), ...events('run-2', 2, plan('a'))];
    await refused(journal, batch);
    assert.deepEqual(await loaded(journal), []);
    assert.deepEqual(await loaded(journal, 'run-2'), []);
  }),
  proof('after a refusal the run goes on where it was', async (journal) => {
    const [first, ...rest] = events(RUN, 1, plan('a'), charge('a', 1), fail('a', 1));
    assert(first);
    await journal.append([first]);
    await refused(journal, rest.slice(1));
    await journal.append(rest);
    assert.deepEqual(await loaded(journal), [first, ...rest]);
  }),
  lastingProof('what was appended survives a reopening', async (journal, again) => {
    const batch = events(RUN, 1, ...EVERY_FACT);
    await journal.append(batch);
    assert.deepEqual(await loaded(await again()), batch);
  }),
  lastingProof('a second instance goes on where the first stopped', async (journal, again) => {
    const all = events(RUN, 1, plan('a'), charge('a', 1), fail('a', 1));
    await journal.append(all.slice(0, 2));
    const other = await again();
    await other.append(all.slice(2));
    assert.deepEqual(await loaded(journal), all);
  }),
  lastingProof('a run that another instance went on with is refused', async (journal, again) => {
    const kept = events(RUN, 1, plan('a'), charge('a', 1));
    await journal.append(kept.slice(0, 1));
    const other = await again();
    await other.append(kept.slice(1));
    await refused(journal, events(RUN, 2, charge('a', 1)));
    assert.deepEqual(await loaded(journal), kept);
  }),
  ...roundTrips('a number stays a number', 7, 'plain'),
  ...roundTrips('text that looks like a number stays text', '7', '1e3'),
  ...roundTrips('an id that begins like a number stays whole', '7x', '007'),
  ...roundTrips('emoji and combining marks come back', '👩‍👩‍👧', 'e\u0301 🏳️‍🌈 \u{10ffff}'),
  ...roundTrips(
    'control characters come back',
    'a\u0001\u001b[2J',
    'nul \u0000 tab \t cr \r lf \n \u2028',
  ),
  ...roundTrips('half surrogate pairs come back', 'id \ud83d', 'low \udc00, high \ud800'),
  ...roundTrips('hostile ids come back', "'; DROP TABLE events; --", '../../x\\"$(id)`%s?@'),
  ...roundTrips('a note of one mebibyte comes back', 'big', 'x'.repeat(1_048_576)),
];
