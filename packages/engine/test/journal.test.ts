import { test } from 'vitest';
import { memoryJournal } from '../src/memory/memory-journal.ts';
import { journalConformance } from '../src/testing/journal-conformance.ts';

for (const promise of journalConformance) {
  test(`the memory journal: ${promise.name}`, async () => {
    await promise.run(() => ({ journal: memoryJournal(), close() {} }));
  });
}
