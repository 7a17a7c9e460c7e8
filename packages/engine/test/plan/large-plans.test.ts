import { expect, test } from 'vitest';
import { validatePlan } from '../../src/plan/index.ts';
import { planOf } from './plan-of.ts';

const SIZE = 100_000;

const validate = (row: (index: number) => object, existing?: ReadonlySet<string>) => {
  const rows = Array.from({ length: SIZE }, (_, index) => ({ id: index, ...row(index) }));
  return validatePlan(planOf(rows), { now: '2026-01-01T00:00:00Z', existing });
};

test('100,000 tasks in 1,000 waves, each with a folder of its own that the next wave reads', () => {
  const validation = validate(
    (i) => ({
      parallel_group: 1 + Math.floor(i / 100),
      writes: [`src/m${i}/**`],
      reads: i < 100 ? ['src'] : [`src/m${i - 100}/index.ts`],
    }),
    new Set(['src/main.ts']),
  );
  expect(validation.ok).toBe(true);
});

test('100,000 tasks in one wave that all write into one folder are refused without looking at pairs', () => {
  const validation = validate((i) => ({
    parallel_group: 1,
    writes: i === 0 ? ['src'] : [`src/${i}/a`],
  }));
  expect(validation.ok ? 0 : validation.issues.length).toBe(1_001);
});

test('a path of 100,000 folders is refused for its length, and nothing else looks at it', () => {
  const deep = 'a/'.repeat(SIZE);
  const rows = [
    { id: 1, parallel_group: 1, writes: [`${deep}x`], reads: [deep] },
    { id: 2, parallel_group: 1, writes: [deep] },
  ];
  const existing = new Set([`${deep}y`]);
  const validation = validatePlan(planOf(rows), { now: '2026-01-01', existing });
  expect(validation.ok ? [] : validation.issues.map(({ code, path }) => `${code} ${path}`)).toEqual(
    ['tasks[0].reads[0]', 'tasks[0].writes[0]', 'tasks[1].writes[0]'].map(
      (path) => `invalid-path ${path}`,
    ),
  );
});
