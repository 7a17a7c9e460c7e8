import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { RUN_MODES, type RunMode, resolveRunMode, workersOf } from '../src/index.ts';

interface Vectors {
  readonly run_modes: Readonly<
    Record<
      RunMode,
      {
        readonly posture: string;
        readonly profile_id: string;
        readonly orchestrator_model: string;
        readonly budget_headroom: number;
        readonly budget_ceiling_factor: number;
        readonly max_workers: number | null;
        readonly is_neutral: boolean;
        readonly effective_of_100000: number;
      }
    >
  >;
  readonly run_mode_resolution: readonly {
    readonly explicit: string | null;
    readonly interactive: string | null;
    readonly env: string | null;
    readonly out: string;
  }[];
}

const vectors: Vectors = JSON.parse(
  readFileSync(join(import.meta.dirname, 'fixtures/run-modes.json'), 'utf8'),
);

const modes = Object.keys(RUN_MODES) as RunMode[];

/** What may be spent of a total. */
const effective = (mode: RunMode, total: number): number => {
  const { ceilingFactor, headroom } = RUN_MODES[mode];
  return Math.floor(Math.floor(total * ceilingFactor) * headroom);
};

test('the table has the modes of the vectors and no other', () => {
  expect(modes).toEqual(Object.keys(vectors.run_modes));
});

describe.each(modes)('%s', (mode) => {
  const row = vectors.run_modes[mode];

  test('has the traits of its vector', () => {
    const { ceilingFactor: _, ...traits } = RUN_MODES[mode];
    expect(traits).toEqual({
      posture: row.posture,
      profile: row.profile_id,
      orchestratorModel: row.orchestrator_model,
      headroom: row.budget_headroom,
      maxWorkers: row.max_workers,
      neutral: row.is_neutral,
    });
  });

  // The vector lets quality-lean spend 127,500 of a total of 100,000 (factor 1.5). No mode may pass the
  // caller's total, so ours has the factor 1 and spends at most 85,000.
  test('may spend what its vector says, but never more than the total', () => {
    const overruled = mode === 'quality-lean';
    expect(row.budget_ceiling_factor).toBe(overruled ? 1.5 : RUN_MODES[mode].ceilingFactor);
    expect(RUN_MODES[mode].ceilingFactor).toBeLessThanOrEqual(1);
    expect(row.effective_of_100000).toBe(overruled ? 127_500 : effective(mode, 100_000));
    expect(effective(mode, 100_000)).toBe(overruled ? 85_000 : row.effective_of_100000);
  });

  test('is neutral exactly when nothing in it changes anything', () => {
    const { posture, ceilingFactor, headroom, maxWorkers, neutral } = RUN_MODES[mode];
    const changesNothing = posture === 'neutral' && ceilingFactor === 1 && headroom === 0.7;
    expect(neutral).toBe(changesNothing && maxWorkers === null);
  });

  test('only lowers the workers that were asked for', () => {
    for (const asked of [1, 2, 3, 5, 8, 64]) {
      expect(workersOf(mode, asked)).toBe(Math.min(asked, row.max_workers ?? asked));
    }
    expect(workersOf(mode)).toBe(row.max_workers ?? undefined);
  });

  test('can not be changed', () => {
    expect(Object.isFrozen(RUN_MODES)).toBe(true);
    expect(Object.isFrozen(RUN_MODES[mode])).toBe(true);
  });
});

test.each(vectors.run_mode_resolution)(
  'explicit $explicit, interactive $interactive, env $env: $out',
  ({ out, interactive, ...sources }) => {
    expect(resolveRunMode({ ...sources, interactiveChoice: interactive }).mode).toBe(out);
  },
);
