import { describe, expect, it } from 'vitest';
import { fleetWidth } from './fleet-width.ts';
import { budgetPool } from './pool.ts';
import { poolOfMode } from './pool-of-mode.ts';

const tokens = (outputTokens: number) => ({ outputTokens });
const full = { headroom: 1 };

describe('an attempt of a tree of pools', () => {
  it('that tells an absurd amount takes nothing of what others hold', () => {
    const pool = budgetPool({ outputTokens: 12_000, ...full });
    pool.reserve('honest', tokens(6_000));
    pool.reserve('evil', tokens(1));
    pool.note('evil', tokens(1e20));
    pool.settle('evil', tokens(0));
    expect(pool.shortage(tokens(6_001))).toMatchObject({ left: 6_000 });
  });

  it('that was noted is charged for it, though it was released', () => {
    const pool = budgetPool({ outputTokens: 10, ...full });
    pool.reserve('a', tokens(5));
    pool.note('a', tokens(9));
    pool.release('a');
    expect(pool.state()).toMatchObject({ settled: tokens(9), reserved: tokens(0) });
  });

  it('is settled where it was reserved, whichever pool is told', () => {
    const root = budgetPool({ outputTokens: 100, ...full });
    const child = root.child({});
    child.reserve('a', tokens(40));
    root.settle('a', tokens(30));
    for (const pool of [root, child])
      expect(pool.state()).toMatchObject({ settled: tokens(30), reserved: tokens(0) });
  });

  it('has a key that no other pool of the tree takes, not even later', () => {
    const root = budgetPool({ outputTokens: 100, ...full });
    const [one, two] = [root.child({}), root.child({})];
    const taken = expect.objectContaining({ code: 'BUDGET_KEY_TAKEN' });
    one.reserve('a', tokens(1));
    expect(() => two.reserve('a', tokens(1))).toThrow(taken);
    one.settle('a', undefined);
    expect(() => two.reserve('a', tokens(1))).toThrow(taken);
    expect(root.state().settled).toMatchObject(tokens(1));
  });

  it('that was never reserved counts all the same', () => {
    const pool = budgetPool({ outputTokens: 10, ...full });
    expect(pool.note('adopted', tokens(11))).toBe('over');
    expect(pool.shortage(tokens(1))).toMatchObject({ left: 0 });
  });

  it('of which nobody ever said a cost is counted as such', () => {
    const pool = budgetPool({ costUsd: 10, ...full });
    pool.reserve('a', tokens(10), { charged: true });
    pool.reserve('b', { ...tokens(10), costUsd: 1 });
    pool.settle('a', tokens(10));
    pool.settle('b', tokens(10));
    expect(pool.state()).toMatchObject({ untold: 1, settled: { costUsd: 1 } });
  });
});

describe('what is left', () => {
  it('is that of the tightest pool of the chain', () => {
    const root = budgetPool({ outputTokens: 100, costUsd: 2, ...full });
    const child = root.child({ outputTokens: 50, ...full });
    root.reserve('a', { ...tokens(70), costUsd: 0.5 });
    expect(child.state().left).toEqual({ outputTokens: 30, costUsd: 1.5 });
    expect(budgetPool().state().left).toEqual({ outputTokens: null, costUsd: null });
  });

  it('fits to the last cent, however the cents add up', () => {
    const pool = budgetPool({ costUsd: 0.3, ...full });
    for (const key of ['a', 'b']) pool.reserve(key, { costUsd: 0.1 });
    expect(pool.shortage({ costUsd: 0.1 })).toBeUndefined();
    pool.reserve('c', { costUsd: 0.1 });
    expect(pool.shortage({ costUsd: 0 })).toBeUndefined();
    expect(pool.shortage({ costUsd: 1e-9 })).toMatchObject({ kind: 'money', left: 0 });
  });

  it('is what a fleet is as wide as: tokens, money, and the pools above', () => {
    const root = budgetPool({ outputTokens: 12_000, costUsd: 1, ...full });
    const each = { ...tokens(2_000), costUsd: 0.3 };
    expect(fleetWidth(root.child({}), each, 5)).toBe(3);
    expect(fleetWidth(root.child({ costUsd: 0.6, ...full }), each, 5)).toBe(2);
    expect(fleetWidth(root, 2_000, 5)).toBe(0);
    expect(fleetWidth(budgetPool({ outputTokens: 1e13, ...full }), 6_000, 5)).toBe(5);
    expect(fleetWidth(budgetPool(), 6_000, 5)).toBe(5);
  });
});

it('a mode counts whole tokens before headroom, as the reference does', () => {
  const ceiling = (total: number) =>
    poolOfMode('cost-lean', tokens(total)).state().ceiling.outputTokens;
  for (let total = 1; total < 200; total += 1)
    expect(ceiling(total)).toBe(Math.floor(Math.max(1, Math.floor(total * 0.6)) * 0.55));
});
