import { describe, expect, it } from 'vitest';
import { budgetPool } from './pool.ts';

const full = { headroom: 1 };

describe('a pool', () => {
  it.each([
    [3, 0.7, 2],
    [100, 0.7, 70],
    [1, 0.7, 0],
    [10, 1, 10],
    [100_000, 0.55, 55_000],
  ])('of %d at headroom %d has %d', (outputTokens, headroom, ceiling) => {
    expect(budgetPool({ outputTokens, headroom }).state().ceiling.outputTokens).toBe(ceiling);
  });

  it('B-19: an estimate is held from the charge on, so that the next one finds less', () => {
    const pool = budgetPool({ outputTokens: 12_000, ...full });
    pool.reserve('a', { outputTokens: 6_000 });
    pool.reserve('b', { outputTokens: 6_000 });
    expect(pool.shortage({ outputTokens: 1 })).toEqual({
      ...{ kind: 'tokens', ceiling: 12_000, left: 0, asked: 1 },
    });
    expect(() => pool.reserve('c', { outputTokens: 1 })).toThrow(
      expect.objectContaining({ code: 'BUDGET_EXCEEDED' }),
    );
  });

  it('lets what fits to the last token', () => {
    const pool = budgetPool({ outputTokens: 10, ...full });
    expect(pool.shortage({ outputTokens: 10 })).toBeUndefined();
    expect(pool.shortage({ outputTokens: 11 })).toMatchObject({ left: 10 });
  });

  it('B-20: every ending is charged what it used, and what nobody knows as its estimate', () => {
    const pool = budgetPool({ outputTokens: 100, costUsd: 10, ...full });
    for (const key of ['less', 'killed', 'unknown'])
      pool.reserve(key, { outputTokens: 20, costUsd: 1 });
    pool.settle('less', { outputTokens: 5, costUsd: 0.25 });
    pool.note('killed', { outputTokens: 33 });
    pool.settle('killed', undefined);
    pool.settle('unknown', {});
    expect(pool.state()).toMatchObject({
      settled: { outputTokens: 5 + 33 + 20, costUsd: 0.25 + 1 + 1 },
      reserved: { outputTokens: 0, costUsd: 0 },
    });
  });

  it('counts an attempt once, however often it is told', () => {
    const pool = budgetPool({ outputTokens: 100, ...full });
    pool.reserve('a', { outputTokens: 10 });
    pool.reserve('a', { outputTokens: 10 });
    pool.settle('a', { outputTokens: 7 });
    pool.settle('a', { outputTokens: 7 });
    pool.reserve('a', { outputTokens: 10 });
    expect(pool.note('a', { outputTokens: 99 })).toBe('within');
    expect(pool.state()).toMatchObject({
      settled: { outputTokens: 7 },
      reserved: { outputTokens: 0 },
    });
  });

  it('settles to no less than what was noted last; a note may take back what an earlier one expected', () => {
    const pool = budgetPool({ outputTokens: 100, ...full });
    pool.reserve('a', { outputTokens: 10 });
    expect(pool.note('a', { outputTokens: 80 })).toBe('within');
    pool.note('a', { outputTokens: 40 });
    expect(pool.state().reserved.outputTokens).toBe(40);
    pool.settle('a', { outputTokens: 1 });
    expect(pool.state().settled.outputTokens).toBe(40);
  });

  it('takes junk for what is not known', () => {
    const pool = budgetPool({ outputTokens: 100, ...full });
    pool.reserve('a', { outputTokens: 10 });
    pool.note('a', { outputTokens: Number.NaN });
    pool.settle('a', { outputTokens: -5 });
    expect(pool.state().settled.outputTokens).toBe(10);
  });

  it('a release gives back what was never begun', () => {
    const pool = budgetPool({ outputTokens: 10, ...full });
    pool.reserve('a', { outputTokens: 10 });
    pool.release('a');
    expect(pool.shortage({ outputTokens: 10 })).toBeUndefined();
  });

  it('what a journal tells is counted, whatever the limit is by now', () => {
    const pool = budgetPool({ outputTokens: 10, ...full });
    pool.reserve('a', { outputTokens: 25 }, { charged: true });
    expect(pool.shortage({ outputTokens: 1 })).toMatchObject({ left: 0 });
  });

  it('an unknown price does not fit into a limit of money, and does into any other', () => {
    expect(budgetPool({ costUsd: 5 }).shortage({ outputTokens: 1 })).toMatchObject({
      ...{ kind: 'money', asked: null },
    });
    expect(budgetPool({ outputTokens: 5 }).shortage({ outputTokens: 1 })).toBeUndefined();
    expect(budgetPool().shortage({})).toBeUndefined();
  });

  it('only whoever is past its estimate is over', () => {
    const pool = budgetPool({ outputTokens: 20, ...full });
    pool.reserve('steady', { outputTokens: 10 });
    pool.reserve('greedy', { outputTokens: 10 });
    expect(pool.note('greedy', { outputTokens: 11 })).toBe('over');
    expect(pool.note('steady', { outputTokens: 10 })).toBe('within');
  });

  it.each([
    [{ headroom: 0 }],
    [{ headroom: 1.1 }],
    [{ outputTokens: 0 }],
    [{ costUsd: Number.NaN }],
  ])('refuses %j by name', (options) => {
    expect(() => budgetPool(options)).toThrow(expect.objectContaining({ code: 'INVALID_BUDGET' }));
  });
});

describe('a pool within a pool', () => {
  it('two loops do not each see the whole of what is left', () => {
    const parent = budgetPool({ outputTokens: 100, ...full });
    const [one, two] = [parent.child({}), parent.child({ outputTokens: 90, ...full })];
    one.reserve('a', { outputTokens: 60 });
    expect(two.shortage({ outputTokens: 41 })).toMatchObject({ left: 40 });
    expect(two.shortage({ outputTokens: 40 })).toBeUndefined();
  });

  it('a charge is in each pool above it once', () => {
    const root = budgetPool({ outputTokens: 100, ...full });
    const middle = root.child({});
    const leaf = middle.child({});
    leaf.reserve('a', { outputTokens: 10 });
    leaf.settle('a', { outputTokens: 4 });
    for (const pool of [root, middle, leaf])
      expect(pool.state()).toMatchObject({
        settled: { outputTokens: 4 },
        reserved: { outputTokens: 0 },
      });
  });
});

/** Fifty that start at once and go on in turns, a few tokens each, until they are through or cut. */
function race(
  workers: readonly { readonly estimate: number; readonly wants: number }[],
  { total, holds }: { readonly total: number; readonly holds: boolean },
): number {
  const pool = budgetPool({ outputTokens: total, ...full });
  const running = new Map<number, number>();
  for (const [index, { estimate }] of workers.entries()) {
    if (pool.shortage({ outputTokens: estimate })) continue;
    if (holds) pool.reserve(`${index}`, { outputTokens: estimate });
    running.set(index, 0);
  }
  let spent = 0;
  while (running.size > 0)
    for (const [index, used] of [...running]) {
      const { wants = 0 } = workers[index] ?? {};
      const now = Math.min(wants, used + STEP);
      spent += now - used;
      running.set(index, now);
      const answer = holds ? pool.note(`${index}`, { outputTokens: now }) : 'within';
      if (now < wants && answer === 'within') continue;
      running.delete(index);
      if (holds) pool.settle(`${index}`, { outputTokens: now });
    }
  return spent;
}

const STEP = 5;

describe('fifty concurrent starts', () => {
  it('B-19: pass the ceiling without reservations, and not with them', () => {
    const workers = Array.from({ length: 50 }, () => ({ estimate: 6_000, wants: 6_000 }));
    expect(race(workers, { total: 12_000, holds: false })).toBe(300_000);
    expect(race(workers, { total: 12_000, holds: true })).toBe(12_000);
  });
});
