import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryJournal } from '@atelier/engine';
import { openStore } from '@atelier/store-sqlite';
import { layeredPlan } from './plan.ts';
import type { Row, Size } from './row.ts';
import { simulate } from './simulate.ts';
import { fastest } from './timing.ts';

const SIZES = { full: 2_000, small: 20 };

/** What durability costs: the same run with a journal in memory and with one in SQLite, synchronous=FULL. */
export async function journalBench(size: Size): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-bench-'));
  const tasks = SIZES[size];
  try {
    const plan = layeredPlan(tasks, 10);
    const rows: Row[] = [];
    for (const workers of [1, 5]) {
      let file = 0;
      const memory = await fastest(3, () => simulate(plan, memoryJournal(), workers));
      const sqlite = await fastest(3, async () => {
        file += 1;
        const store = openStore({ path: join(folder, `${workers}-${file}.db`) });
        await simulate(plan, store.journal, workers);
        store.close();
      });
      const row = (kind: string, ms: number): Row => ({
        bench: 'journal',
        name: `${kind}, ${workers} wide`,
        value: (tasks * 1000) / ms,
        unit: 'tasks/s',
      });
      rows.push(row('memory', memory), {
        ...row('sqlite', sqlite),
        ratio: sqlite / memory,
        note: 'time over memory',
      });
    }
    return rows;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
