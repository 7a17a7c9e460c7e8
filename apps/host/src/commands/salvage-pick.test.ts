import type { SavedWork } from '@atelier/worktrees';
import { expect, test } from 'vitest';
import { pickRef } from './salvage-pick.ts';

const saved = (run: string, slug: string, attempt: number, more: Partial<SavedWork> = {}) => ({
  ...{ ref: `refs/atelier/${run}/${slug}/${attempt}`, run, task: slug, attempt, after: false },
  ...{ commit: 'c', savedAt: 0, files: 0, merged: false },
  ...more,
});

const ALL = [
  saved('r1', 'parser-1f', 1, { task: 'parser', savedAt: 3_000 }),
  saved('r1', 'parser-1f', 2, { task: 'parser', savedAt: 2_000 }),
  saved('r2', 'parser-1f', 1, { task: 'parser', savedAt: 2_000 }),
  { ...saved('r2', 'parser-1f', 7, { savedAt: 9_000, after: true, task: 'parser' }) },
  saved('r0', 'parser-1f', 5, { task: 'parser', savedAt: 100 }),
  saved('r1', 'same', 1, { savedAt: 1_000 }),
  saved('r2', 'same', 1, { savedAt: 1_000 }),
];

const pick = (named?: string, more: { attempt?: number; run?: string } = {}) =>
  pickRef(ALL, { named, attempt: undefined, run: undefined, ...more });

test.each([
  ['parser', {}, 'r1/parser-1f/2'],
  ['parser-1f', {}, 'r1/parser-1f/2'],
  ['parser', { attempt: 1 }, 'r1/parser-1f/1'],
  ['parser', { run: 'r2' }, 'r2/parser-1f/1'],
  ['same', {}, 'r2/same/1'],
])('%s with %j is %s: the last attempt, in the run that saved last', (named, more, ref) =>
  expect(pick(named, more)).toBe(`refs/atelier/${ref}`),
);

test('a full ref is taken as it is', () => {
  expect(pick('refs/atelier/x/y/1-after')).toBe('refs/atelier/x/y/1-after');
  expect(() => pick('refs/atelier/x/y/1', { attempt: 1 })).toThrow('a ref names its run');
});

test.each([
  ['pars', {}, 'task pars'],
  ['', {}, 'task '],
  ['parser', { attempt: 7 }, 'task parser, attempt 7'],
  ['parser', { attempt: 2, run: 'r2' }, 'task parser, attempt 2, run r2'],
])('%j with %j is no saved work', (named, more, text) =>
  expect(() => pick(named, more)).toThrow(
    expect.objectContaining({
      code: 'NO_SUCH_SALVAGE',
      message: `there is no saved work of ${text}`,
    }),
  ),
);

test('without a name there is nothing to look for', () =>
  expect(() => pick()).toThrow('one TASK or REF'));
