import { known, type Spent } from './amount.ts';

/** One attempt, and what it used up. */
export interface LedgerEntry {
  readonly runId: string;
  readonly wave: number;
  readonly taskId: string;
  readonly attempt: number;
  readonly model: string | null;
  readonly spent: Spent;
  /** US dollars; null where nobody knows. */
  readonly costUsd: number | null;
}

/** Sums of what is known. What is not known is counted beside them. */
export interface LedgerSum {
  readonly attempts: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly costUsd: number;
  /** Attempts of which no tokens are known, and of which no cost is. */
  readonly unmetered: number;
  readonly unpriced: number;
}

export interface Ledger {
  readonly total: LedgerSum;
  readonly byRun: ReadonlyMap<string, LedgerSum>;
  readonly byWave: ReadonlyMap<number, LedgerSum>;
  readonly byTask: ReadonlyMap<string, LedgerSum>;
  /** Under `unknown` what has no model. */
  readonly byModel: ReadonlyMap<string, LedgerSum>;
}

/** Adds attempts up, each once in every grouping. */
export function ledgerOf(entries: Iterable<LedgerEntry>): Ledger {
  const total = new Map<'', LedgerSum>();
  const byRun = new Map<string, LedgerSum>();
  const byWave = new Map<number, LedgerSum>();
  const byTask = new Map<string, LedgerSum>();
  const byModel = new Map<string, LedgerSum>();
  for (const entry of entries) {
    add(total, '', entry);
    add(byRun, entry.runId, entry);
    add(byWave, entry.wave, entry);
    add(byTask, entry.taskId, entry);
    add(byModel, entry.model ?? 'unknown', entry);
  }
  return { total: total.get('') ?? EMPTY, byRun, byWave, byTask, byModel };
}

const EMPTY: LedgerSum = Object.freeze({
  attempts: 0,
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  costUsd: 0,
  unmetered: 0,
  unpriced: 0,
});

function add<K>(sums: Map<K, LedgerSum>, key: K, { spent, ...entry }: LedgerEntry): void {
  const costUsd = known(entry.costUsd);
  const sum = sums.get(key) ?? EMPTY;
  const tokens = [spent.inputTokens, spent.outputTokens].map(known);
  sums.set(key, {
    attempts: sum.attempts + 1,
    inputTokens: sum.inputTokens + (known(spent.inputTokens) ?? 0),
    outputTokens: sum.outputTokens + (known(spent.outputTokens) ?? 0),
    cacheReadTokens: sum.cacheReadTokens + (known(spent.cacheReadTokens) ?? 0),
    cacheWriteTokens: sum.cacheWriteTokens + (known(spent.cacheWriteTokens) ?? 0),
    costUsd: sum.costUsd + (costUsd ?? 0),
    unmetered: sum.unmetered + (tokens.every((one) => one === undefined) ? 1 : 0),
    unpriced: sum.unpriced + (costUsd === undefined ? 1 : 0),
  });
}
