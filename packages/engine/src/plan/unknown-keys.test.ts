import { expect, test } from 'vitest';
import { validatePlan } from './validate-plan.ts';

test('20,000 unknown keys: a thousand are named, the rest is counted, and a hundred are looked up', () => {
  const row = { id: 'a', parallel_group: 1, title: 'A', description: 'd' };
  const own = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`titl${i}`, 1]));
  const validation = validatePlan(
    { goal: 'g', tasks: [{ ...row, ...own }], gaol: 1 },
    { now: '2026-02-03T04:05:06Z' },
  );
  const issues = validation.ok ? [] : validation.issues;
  expect(issues).toHaveLength(1_001);
  expect(issues.filter(({ fix }) => fix.startsWith('Did you mean'))).toHaveLength(100);
  expect(issues[0]).toMatchObject({
    ...{ code: 'unknown-key', path: '' },
    message: 'the plan has 19001 more unknown keys',
  });
});
