import { expect, test } from 'vitest';
import { validatePlan } from './validate-plan.ts';

const NFC = 'docs/café.md';
const NFD = NFC.normalize('NFD');

const summary = (task: object, existing: readonly string[]) => {
  const row = { id: 'a', parallel_group: 1, title: 'A', description: 'd', ...task };
  const gates = { now: '2026-02-03T04:05:06Z', existing: new Set(existing) };
  const validation = validatePlan({ goal: 'g', tasks: [row] }, gates);
  return validation.ok ? [] : validation.issues.map(({ code, path }) => `${code} ${path}`);
};

test.each([NFC, NFD])(
  'a write to %j is told that the repository has it under another name',
  (path) => {
    const task = { writes: ['x', path], must_produce: [path] };
    expect(summary(task, [NFD])).toEqual([
      'invalid-path tasks[0].writes[1]',
      'invalid-path tasks[0].must_produce[0]',
    ]);
    // Work of the future has the name that a plan gives it.
    expect(summary(task, ['y'])).toEqual([]);
    expect(summary(task, [NFD, NFC])).toEqual([]);
    expect(summary({ ...task, status: 'complete' }, [NFD])).toEqual([]);
  },
);

test('so is the folder of a pattern', () => {
  expect(summary({ writes: ['café/**'] }, ['café/a'.normalize('NFD')])).toEqual([
    'invalid-path tasks[0].writes[0]',
  ]);
});
