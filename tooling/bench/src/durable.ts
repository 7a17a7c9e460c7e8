import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '@atelier/store-sqlite';
import Database from 'better-sqlite3';
import { layeredPlan } from './plan.ts';
import type { Row, Size } from './row.ts';
import { simulate } from './simulate.ts';
import { median, timed } from './timing.ts';

const SIZES = { full: [1_000, 10_000, 100_000], small: [20] };
const READY = { full: 10_000, small: 20 };

/** One prepared statement that ran, or the end of a transaction. */
type Step = { readonly sql: string; readonly values: readonly unknown[] } | 'commit';

/**
 * A whole durable run whose workers answer at once, against the bare floor: the same rows in the same transactions, by
 * prepared statements, without an engine.
 */
export async function durableBench(size: Size): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-durable-'));
  try {
    const empty = join(folder, 'empty.db');
    openStore({ path: empty }).close();
    const rows: Row[] = [];
    for (const tasks of SIZES[size]) rows.push(...(await against(folder, empty, tasks)));
    return [...rows, await readiness(folder, READY[size])];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** How often both run before the rounds that count, and in those. What is long warms itself up. */
const roundsOf = (tasks: number): { readonly warmUp: number; readonly counted: number } => {
  if (tasks > 10_000 || tasks < 1_000) return { warmUp: 0, counted: 1 };
  return tasks < 10_000 ? { warmUp: 5, counted: 9 } : { warmUp: 1, counted: 5 };
};

async function against(folder: string, empty: string, tasks: number): Promise<Row[]> {
  const plan = layeredPlan(tasks, 10);
  const { warmUp, counted } = roundsOf(tasks);
  const all: number[] = [];
  let engine = Number.POSITIVE_INFINITY;
  let floor = Number.POSITIVE_INFINITY;
  for (let round = 0; round < warmUp + counted; round += 1) {
    const path = join(folder, `${tasks}-${round}`);
    for (const kind of ['engine', 'floor']) copyFileSync(empty, `${path}-${kind}.db`);
    // The very run that is timed: another one would have other batches.
    const { steps, ms: engineMs } = await recorded(() => engineRun(`${path}-engine.db`, plan));
    const floorMs = await timed(() => replay(`${path}-floor.db`, steps));
    all.push(floorMs / engineMs);
    engine = Math.min(engine, engineMs);
    floor = Math.min(floor, floorMs);
  }
  const row = (kind: string, ms: number): Row => ({
    bench: 'durable',
    name: `${tasks} tasks, ${kind}`,
    value: (tasks * 1000) / ms,
    unit: 'tasks/s',
  });
  const cold = warmUp === 0 ? '' : `; ${all[0]?.toFixed(2)} in the first round of the process`;
  return [
    { ...row('bare statements', floor), note: 'the same rows in the same transactions' },
    {
      ...row('engine', engine),
      ratio: median(all.slice(warmUp)),
      note: `of the speed of bare statements${cold}`,
    },
  ];
}

async function engineRun(path: string, plan: ReturnType<typeof layeredPlan>): Promise<void> {
  const store = openStore({ path });
  await simulate(plan, store.journal);
  store.close();
}

/** Runs the work and keeps every statement that changed something, with its values, and every commit. */
async function recorded(
  work: () => Promise<void>,
): Promise<{ readonly steps: readonly Step[]; readonly ms: number }> {
  const steps: Step[] = [];
  const prototype = Database.prototype;
  const { prepare, transaction } = prototype;
  prototype.prepare = function patched(this: Database.Database, sql: string) {
    const statement = prepare.call(this, sql) as Database.Statement<unknown[]>;
    const run = statement.run.bind(statement);
    statement.run = (...values: unknown[]) => {
      // Each call has values of its own, so they can be kept as they are.
      steps.push({ sql, values });
      return run(...values);
    };
    return statement;
  } as typeof prepare;
  prototype.transaction = function patched(this: Database.Database, body: () => unknown) {
    const made = transaction.call(this, body);
    return Object.assign(() => made(), {
      immediate: () => {
        const result = made.immediate();
        steps.push('commit');
        return result;
      },
    });
  } as unknown as typeof transaction;
  try {
    const ms = await timed(work);
    return { steps, ms };
  } finally {
    Object.assign(prototype, { prepare, transaction });
  }
}

function replay(path: string, steps: readonly Step[]): void {
  const database = new Database(path);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.pragma('foreign_keys = ON');
  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  const prepared = new Map<string, Database.Statement>();
  let open = false;
  for (const step of steps) {
    if (step === 'commit') {
      if (open) commit.run();
      open = false;
      continue;
    }
    if (isSchema(step.sql)) continue;
    if (!open) begin.run();
    open = true;
    const statement = prepared.get(step.sql) ?? database.prepare(step.sql);
    prepared.set(step.sql, statement);
    statement.run(...step.values);
  }
  if (open) commit.run();
  database.close();
}

/** The floor begins with a file whose schema is there. */
const isSchema = (sql: string): boolean => /\bmigrations\b/u.test(sql);

/** How long it takes from opening a store with finished tasks to the first task of another run. */
async function readiness(folder: string, tasks: number): Promise<Row> {
  const path = join(folder, 'ready.db');
  await engineRun(path, layeredPlan(tasks, 10));
  const opened = performance.now();
  const store = openStore({ path });
  const events = await store.journal.load('bench');
  const value = performance.now() - opened;
  const another = await timed(() => simulate(layeredPlan(1, 1), store.journal, 1, 'another'));
  store.close();
  return {
    bench: 'durable',
    name: `${tasks} finished tasks opened, verified and loaded`,
    value,
    unit: 'ms',
    note: `${events.length} events; a first task of another run took ${another.toFixed(0)} ms`,
  };
}
