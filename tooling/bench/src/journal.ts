import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryJournal } from '@atelier/engine';
import { openStore } from '@atelier/store-sqlite';
import { layeredPlan } from './plan.ts';
import { simulate } from './simulate.ts';
import { fastest } from './timing.ts';

const SIZE = 2_000;

/** What durability costs: the same run with a journal in memory and with one in SQLite, synchronous=FULL. */
export async function journalBench(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-bench-'));
  try {
    const plan = layeredPlan(SIZE, 10);
    const lines = [`journal: a run of ${SIZE} tasks whose workers answer at once`];
    for (const workers of [1, 5]) {
      let file = 0;
      const memory = await fastest(3, () => simulate(plan, memoryJournal(), workers));
      const sqlite = await fastest(3, async () => {
        file += 1;
        const store = openStore({ path: join(folder, `${workers}-${file}.db`) });
        await simulate(plan, store.journal, workers);
        store.close();
      });
      const rate = (ms: number) => `${Math.round((SIZE * 1000) / ms)} tasks/s`;
      lines.push(
        `  ${workers} workers: memory ${rate(memory)}, sqlite ${rate(sqlite)}, ratio ${(sqlite / memory).toFixed(1)}`,
      );
    }
    return lines;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
