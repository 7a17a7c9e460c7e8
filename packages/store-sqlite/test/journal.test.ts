import { journalConformance } from '@atelier/engine/testing';
import { test } from 'vitest';
import { openStore, type Store } from '../src/index.ts';
import { storePath } from './store-file.ts';

for (const promise of journalConformance) {
  test(`the store as a journal: ${promise.name}`, async () => {
    const path = storePath();
    const stores: Store[] = [];
    const open = () => {
      const store = openStore({ path });
      stores.push(store);
      return store.journal;
    };
    await promise.run(() => ({
      journal: open(),
      reopen: open,
      close() {
        for (const store of stores) store.close();
      },
    }));
  });

  test(`the store in memory as a journal: ${promise.name}`, async () => {
    await promise.run(() => {
      const store = openStore({ path: ':memory:' });
      return { journal: store.journal, close: store.close };
    });
  });
}
