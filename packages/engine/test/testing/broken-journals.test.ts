import { describe, expect, test } from 'vitest';
import { type Journal, memoryJournal, type RunEvent } from '../../src/index.ts';
import { type JournalFixture, journalConformance } from '../../src/testing/index.ts';

type Break = (inner: Journal) => Partial<Journal>;

/** What is broken, how, and the clause that must catch it. */
const BROKEN: readonly (readonly [what: string, clause: string, how: Break])[] = [
  [
    'writes a batch one by one',
    'a gap in seq is refused and nothing of the batch is written',
    (inner) => ({
      async append(batch) {
        for (const event of batch) await inner.append([event]);
      },
    }),
  ],
  [
    'mixes up runs',
    'two runs do not mix',
    (inner) => ({ load: (runId) => (runId === 'run-2' ? inner.load('run-1') : inner.load(runId)) }),
  ],
  [
    'takes a batch twice',
    'a repeated seq is refused',
    (inner) => ({
      async append(batch) {
        const known = await inner.load(batch[0]?.runId ?? '');
        if (known.length < (batch[0]?.seq ?? 0)) await inner.append(batch);
      },
    }),
  ],
  [
    'spoils text',
    'half surrogate pairs come back',
    (inner) => ({
      load: async (runId) =>
        JSON.parse(JSON.stringify(await inner.load(runId)), (_, value) =>
          typeof value === 'string' ? value.toWellFormed() : value,
        ),
    }),
  ],
  ['hangs', 'a batch is loaded back in order', () => ({ append: () => new Promise(() => {}) })],
  ['forgets all when it is opened again', 'what was appended survives a reopening', () => ({})],
];

/** Opened again it is another one, over nothing. */
const opened = (how: Break): JournalFixture => {
  const journal = (): Journal => {
    const inner = memoryJournal();
    const append = (batch: readonly RunEvent[]) => inner.append(batch);
    return { append, load: (runId) => inner.load(runId), ...how(inner) };
  };
  return { journal: journal(), reopen: journal, patienceMs: 200, close() {} };
};

const left = (why: string) => {
  throw new Error(`left out: ${why}`);
};

describe('the kit catches a journal that', () => {
  test.for(BROKEN)('%s: %s', async ([, clause, how]) => {
    const found = journalConformance.find(({ name }) => name === clause);
    await expect(found?.run(() => opened(how), left)).rejects.toMatchObject({
      message: expect.not.stringContaining('left out'),
    });
  });
});

test('a case that needs a reopening says so where there is none, and is not passed over', async () => {
  const told: string[] = [];
  const found = journalConformance.find(({ name }) => name.includes('survives a reopening'));
  const open = () => ({ journal: memoryJournal(), close() {} });
  await found?.run(open, (why) => told.push(why));
  expect(told).toEqual(['the fixture has no reopen']);
});
