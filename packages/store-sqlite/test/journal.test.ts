import { casesFor, type JournalFixture, journalConformance } from '@atelier/engine/testing';
import { describe, expect, test } from 'vitest';
import { openStore, type Store } from '../src/index.ts';
import { storePath } from './store-file.ts';

function onDisk(): JournalFixture {
  const path = storePath();
  const stores: Store[] = [];
  const open = () => {
    const store = openStore({ path });
    stores.push(store);
    return store.journal;
  };
  return {
    journal: open(),
    reopen: open,
    close() {
      for (const store of stores) store.close();
    },
  };
}

function inMemory(): JournalFixture {
  const store = openStore({ path: ':memory:' });
  return { journal: store.journal, close: store.close };
}

describe('the store as a journal', () => {
  for (const { name, run } of journalConformance) test(name, () => run(onDisk, expect.fail));
});

const { cases, leftOut } = await casesFor(journalConformance, inMemory);

describe('the store in memory as a journal', () => {
  for (const { name, run } of cases) test(name, () => run(inMemory, expect.fail));

  test('only what needs a reopening says nothing of it', () => {
    expect(leftOut).toHaveLength(journalConformance.length - cases.length);
    expect(new Set(leftOut.map(({ why }) => why))).toEqual(new Set(['the fixture has no reopen']));
  });
});
