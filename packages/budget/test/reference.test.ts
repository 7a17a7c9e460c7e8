import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import {
  budgetPool,
  canonicalModel,
  fleetWidth,
  normalizePhase,
  priceOf,
  type RunMode,
  recommendTier,
} from '../src/index.ts';

interface Reference {
  readonly normalize_phase: Readonly<Record<string, string | null>>;
  readonly recommend: readonly {
    readonly phase: string | null;
    readonly role: string | null;
    readonly posture: string | null;
    readonly env: string | null;
    readonly difficulty: string | null;
    readonly out: string;
  }[];
  readonly budget: {
    readonly fleet: readonly { total: number; per: number; max: number; width: number }[];
  };
}

const reference: Reference = JSON.parse(
  readFileSync(join(import.meta.dirname, 'fixtures/reference.json'), 'utf8'),
);

test.each(Object.entries(reference.normalize_phase))('the phase %j is %j', (phase, normal) => {
  expect(normalizePhase(phase)).toBe(normal);
});

const MODE_OF: Readonly<Record<string, RunMode>> = {
  'cost-lean': 'cost-lean',
  neutral: 'balanced',
  'opus-lean': 'quality-lean',
};

test.each(reference.recommend)(
  '$difficulty, $phase, $role under $posture with $env: $out',
  ({ posture, out, ...choice }) => {
    const mode = MODE_OF[posture ?? 'neutral'];
    expect(recommendTier({ ...choice, mode })).toBe(out);
  },
);

test.each(reference.budget.fleet)('a fleet of $max at $per each of $total: $width', (row) => {
  const pool = budgetPool({ outputTokens: row.total, headroom: 1 });
  expect(fleetWidth(pool, row.per, row.max)).toBe(row.width);
});

describe('prices', () => {
  const each = {
    ...{ inputTokens: 1000, outputTokens: 1000 },
    ...{ cacheReadTokens: 1000, cacheWriteTokens: 1000 },
  };

  it('are the list prices of each class of tokens', () => {
    expect(priceOf('claude-opus-4-8', each)).toBeCloseTo(0.03675, 10);
    expect(priceOf('claude-sonnet-4-5', { inputTokens: 300, outputTokens: 60 })).toBeCloseTo(
      0.0018,
    );
  });

  it.each([
    ['claude-haiku-5-5', 0.0006, 0.00061, 0.000725],
    ['claude-sonnet-5-5', 0.012, 0.0121, 0.0145],
    ['claude-opus-5-5', 0.024, 0.0242, 0.029],
    ['claude-sonnet-4-5', 0.018, 0.0183, 0.02175],
    ['claude-opus-4-8', 0.03, 0.0305, 0.03625],
  ])('%s: what Claude Code 2.1.332 reported', (model, plain, withRead, withWrite) => {
    const tokens = { inputTokens: 1000, outputTokens: 1000 };
    expect(priceOf(model, tokens)).toBeCloseTo(plain, 10);
    expect(priceOf(model, { ...tokens, cacheReadTokens: 1000 })).toBeCloseTo(withRead, 10);
    expect(priceOf(model, { ...tokens, cacheWriteTokens: 1000 })).toBeCloseTo(withWrite, 10);
  });

  it('of an unknown model, or of nothing known, are null and never 0', () => {
    expect(priceOf('x', each)).toBeNull();
    expect(priceOf(undefined, each)).toBeNull();
    expect(priceOf('claude-opus-5-5', {})).toBeNull();
    expect(priceOf('claude-opus-5-5', { outputTokens: Number.NaN })).toBeNull();
  });

  it('find a model under its alias and with a date behind its name', () => {
    expect(canonicalModel(' sonnet ')).toBe('claude-sonnet-5-5');
    expect(canonicalModel('claude-opus-4-8-20260514')).toBe('claude-opus-4-8');
    expect(canonicalModel('x')).toBe('x');
  });
});
