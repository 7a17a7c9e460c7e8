import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { manualClock, scriptedTransport } from '@atelier/engine';
import {
  casesFor,
  playedByBriefing,
  type SystemFixture,
  systemConformance,
} from '@atelier/engine/testing';
import { describe, expect, test } from 'vitest';
import { openStore, type Store } from '../src/index.ts';

/** The stores of hosts that were killed stay open, as a process that hangs would keep them. */
function open(): SystemFixture {
  const clock = manualClock();
  const folder = mkdtempSync(join(tmpdir(), 'atelier-store-'));
  const path = join(folder, 'atelier.db');
  const stores: Store[] = [];
  const compose = () => {
    const store = openStore({ path });
    stores.push(store);
    return {
      journal: store.journal,
      transport: scriptedTransport(playedByBriefing, { clock }),
    };
  };
  return {
    ...compose(),
    reopen: compose,
    clock,
    close() {
      for (const store of stores) store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const { cases, leftOut } = await casesFor(systemConformance, open);

describe('a whole run over the store as a journal', () => {
  for (const { name, run } of cases) test(name, () => run(open, expect.fail));

  test('the cases that say nothing of it are known', () => {
    expect(leftOut.map(({ why }) => why)).toMatchInlineSnapshot(`
      [
        "it does not adopt",
        "it does not adopt",
        "it does not adopt",
        "it does not adopt",
        "the fixture can not tell what lives",
      ]
    `);
  });
});
