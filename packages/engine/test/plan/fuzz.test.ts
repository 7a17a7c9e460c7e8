import fc from 'fast-check';
import { expect, test } from 'vitest';
import { preflight } from '../../src/core/preflight.ts';
import { TASK_FIELDS } from '../../src/core/task-issues/task-fields.ts';
import { partitionWaves } from '../../src/core/waves.ts';
import { assertPlan, doomed, PlanError, previewPlan, validatePlan } from '../../src/plan/index.ts';

const now = '2026-01-01T00:00:00Z';

const anything = fc.anything({
  maxDepth: 2,
  maxKeys: 3,
  withNullPrototype: true,
  withSparseArray: true,
  withBigInt: true,
  withDate: true,
  withMap: true,
  withSet: true,
});

const ids = fc.oneof(fc.constantFrom('a', 'b', 'c', 1, '1', '__proto__', ''), anything);

/** Rows that are nearly right, so that every gate is reached. */
const row = fc.oneof(
  { weight: 1, arbitrary: anything },
  {
    weight: 6,
    arbitrary: fc.record(
      {
        ...Object.fromEntries(TASK_FIELDS.map((field) => [field, anything])),
        id: ids,
        parallel_group: fc.oneof(fc.integer({ min: 1, max: 4 }), anything),
        title: fc.oneof(fc.string(), anything),
        description: fc.oneof(fc.string(), anything),
        depends_on: fc.oneof(fc.array(ids, { maxLength: 3 }), anything),
        reviews: ids,
        status: fc.oneof(fc.constantFrom('pending', 'complete', 'held'), anything),
        created_at: fc.oneof(fc.constant('2026-01-01'), fc.string(), anything),
        writes: fc.oneof(fc.array(fc.string()), anything),
      },
      { requiredKeys: ['id'] },
    ),
  },
);

const plans = fc.oneof(
  { weight: 1, arbitrary: anything },
  {
    weight: 4,
    arbitrary: fc.record(
      {
        goal: fc.oneof(fc.string(), anything),
        budget: anything,
        tasks: fc.array(row, { maxLength: 5 }),
      },
      { requiredKeys: ['tasks'] },
    ),
  },
);

test('validatePlan never throws, and never has to give up on plain data', () => {
  fc.assert(
    fc.property(plans, (input) => {
      const validation = validatePlan(input, { now });
      if (validation.ok) return;
      expect(validation.issues).not.toHaveLength(0);
      for (const { code, message, fix } of validation.issues) {
        expect(code).not.toBe('unreadable');
        expect(message + fix).not.toMatch(/[\p{Cc}\p{Cs}]/u);
      }
    }),
    { numRuns: 3000 },
  );
});

test('assertPlan throws nothing but a PlanError', () => {
  fc.assert(
    fc.property(plans, (input) => {
      try {
        assertPlan(input, { now });
      } catch (error) {
        expect(error).toBeInstanceOf(PlanError);
      }
    }),
    { numRuns: 1000 },
  );
});

const validRows = fc
  .uniqueArray(fc.nat({ max: 30 }), { minLength: 1, maxLength: 12 })
  .chain((numbers) =>
    fc.tuple(
      ...numbers.map((id, index) =>
        fc.record({
          id: fc.constantFrom(id, String(id)),
          parallel_group: fc.constant(index + 1),
          title: fc.constant('T'),
          description: fc.constant('d'),
          depends_on: fc.subarray(numbers.slice(0, index).map(String)),
          reads: fc.subarray(['a', 'b']),
          writes: fc.subarray(['a', './b', 'c/**']),
          status: fc.constantFrom('pending', 'complete', 'abandoned', undefined),
        }),
      ),
    ),
  );

test('a plan that is accepted passes pre-flight, and its preview has every live task once', () => {
  fc.assert(
    fc.property(validRows, (tasks) => {
      const plan = assertPlan({ goal: 'g', tasks }, { now });
      expect(() => preflight(plan.tasks)).not.toThrow();
      const preview = previewPlan(plan);
      const shown = preview.waves.flatMap((wave) => wave.tasks.map(({ id }) => id));
      expect(shown).toEqual(partitionWaves(plan.tasks).flatMap((wave) => wave.map(({ id }) => id)));
      expect(shown.length + preview.closed).toBe(tasks.length);
      const lost = doomed(plan.tasks, { maxAttempts: 5 });
      const mayRun = shown.filter((id) => !lost.has(String(id)));
      expect(preview.maxDispatches).toBe(5 * mayRun.length);
    }),
    { numRuns: 1000 },
  );
});
