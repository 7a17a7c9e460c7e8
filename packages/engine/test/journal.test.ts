import { describe, expect, test } from 'vitest';
import { memoryJournal } from '../src/memory/memory-journal.ts';
import { casesFor, type JournalFixture, journalConformance } from '../src/testing/index.ts';

const open = (): JournalFixture => ({ journal: memoryJournal(), close() {} });

const { cases, leftOut } = await casesFor(journalConformance, open);

describe('the memory journal keeps the promises of a journal', () => {
  for (const { name, run } of cases) test(name, () => run(open, expect.fail));

  test('the cases that say nothing of it are known: it lasts as long as its instance', async () => {
    const lines = leftOut.map(({ name, why }) => `${name}: ${why}\n`);
    await expect(lines.join('')).toMatchFileSnapshot('testing/left-out/journal-memoryJournal.txt');
  });
});
