import { describe, expect, test } from 'vitest';
import { validatePlan } from './validate-plan.ts';

const now = '2026-02-03T04:05:06Z';

const task = (id: string, parallel_group: number, fields: object = {}) => ({
  id,
  parallel_group,
  title: 'T',
  description: 'd',
  ...fields,
});

const FILES: ReadonlySet<string> = new Set([
  'src/main.ts',
  'docs/deep/a.md',
  'sub',
  'De\u0301j\u00e0',
]);

const issuesOf = (tasks: readonly object[], options: object = {}, plan: object = {}) => {
  const given = { now, existing: FILES, ...options };
  const validation = validatePlan({ goal: 'g', ...plan, tasks }, given);
  return validation.ok ? [] : validation.issues;
};

const summary = (...args: Parameters<typeof issuesOf>) =>
  issuesOf(...args).map(({ code, path }) => `${code} ${path}`);

const reads = (...paths: string[]) => [task('r', 5, { reads: paths })];

const UNMET = ['unmet-read tasks[0].reads[0]'];

describe('what is there already', () => {
  test.each(['src/main.ts', './src//main.ts', 'src', 'src/', 'docs/deep', 'docs', 'sub/inside'])(
    '%s may be read',
    (path) => expect(summary(reads(path))).toEqual([]),
  );

  test.each(['src/main', 'main.ts', 'SRC/main.ts', 'doc', 'docs/deep/b.md'])('%s may not', (path) =>
    expect(summary(reads(path))).toEqual(UNMET),
  );

  test('is asked of a function as well, and without either of nobody', () => {
    const existing = (path: string) => path === 'a/b';
    expect(summary(reads('a//b', 'c'), { existing })).toEqual(['unmet-read tasks[0].reads[1]']);
    expect(summary(reads('anything'), { existing: undefined })).toEqual([]);
  });

  test('counts in any case where files have none', () => {
    expect(summary(reads('SRC/Main.ts', 'SRC', 'DOCS/Deep'), { foldCase: true })).toEqual([]);
  });

  test('a name that git has with letters of its own is told apart, since a checked plan has it composed', () => {
    const [issue] = issuesOf(reads('D\u00e9j\u00e0'), { existing: new Set(['De\u0301ja\u0300']) });
    expect(issue?.message).toContain('accents');
    expect(issue?.fix).toContain('NFC');
  });

  test('a worktree may be given more', () => {
    const worktree = { copy: ['.env*', 'cfg/local.json'], link: ['node_modules/'] };
    const paths = ['.env.local', 'cfg/local.json', 'node_modules/x/y', '.npmrc', 'cfg/other.json'];
    expect(summary(reads(...paths), {}, { worktree })).toEqual([
      'unmet-read tasks[0].reads[3]',
      'unmet-read tasks[0].reads[4]',
    ]);
  });
});

describe('what a task writes', () => {
  const writer = (group: number, fields: object) => task('w', group, fields);

  test.each([
    { writes: ['x/y'] },
    { writes: ['x'] },
    { writes: ['x/**'] },
    { writes: ['./x//y/z'] },
    { must_produce: ['x/y'] },
    { writes: ['*'] },
  ])('%j may be read later', (fields) => {
    expect(summary([task('r', 2, { reads: ['x/y'] }), writer(1, fields)])).toEqual([]);
  });

  test('may be read as soon as one of its writers is earlier, in whatever order they are listed', () => {
    const late = task('late', 9, { writes: ['x'] });
    expect(summary([late, task('r', 2, { reads: ['x'] }), writer(1, { writes: ['x'] })])).toEqual(
      [],
    );
  });

  test('may not be read in the same group or an earlier one, and both are named', () => {
    for (const group of [2, 3]) {
      const [issue] = issuesOf([
        task('r', 2, { reads: ['x'] }),
        writer(group, { writes: ['x/y'] }),
      ]);
      expect(issue).toMatchObject({ code: 'unmet-read', taskId: 'r', path: 'tasks[0].reads[0]' });
      expect(issue?.message).toContain(`task "w" writes it in parallel_group ${group}`);
      expect(issue?.fix).toContain(`parallel_group ${group + 1}`);
    }
  });

  test('its own writing does not count, nor what nobody declares', () => {
    expect(summary([task('r', 1, { reads: ['x'], writes: ['x'] })])).toEqual(UNMET);
    expect(summary([task('r', 2, { reads: ['x'] }), task('w', 1)])).toEqual(UNMET);
  });

  test('is there when the writer is over, whatever its group; what a closed row reads is history', () => {
    const over = { status: 'complete', writes: ['x'], reads: ['gone'] };
    expect(summary([task('r', 1, { reads: ['x'] }), task('w', 9, over)])).toEqual([]);
  });

  test('is there for a reviewer when it is by its author or from before', () => {
    const author = task('a', 2, { assigned_persona: 'ada', writes: ['x'] });
    const reviewer = (path: string) =>
      task('r', 3, { assigned_persona: 'eve', reviews: 'a', reads: [path] });
    const other = (group: number) => task('o', group, { writes: ['y'] });
    expect(summary([reviewer('x'), author])).toEqual([]);
    expect(summary([reviewer('y'), author, other(1)])).toEqual([]);
    expect(summary([reviewer('y'), author, other(3)])).toEqual(UNMET);
    // Refused by the gate of reviews, and told once.
    expect(summary([reviewer('y'), author, other(2)])).toEqual(['not-later tasks[0].reads[0]']);
  });
});

test('who reviews is told to move its author, since it reads in the wave of that', () => {
  const rows = (group: number) => [
    task('a', 2, { assigned_persona: 'ada', writes: ['x'] }),
    task('r', 7, { assigned_persona: 'eve', reviews: 'a', reads: ['y'] }),
    task('o', group, { writes: ['y/z'] }),
  ];
  const [issue] = issuesOf(rows(7));
  expect(issue).toMatchObject({ code: 'unmet-read', taskId: 'r' });
  expect(issue?.message).toContain('it reviews task "a" and reads in parallel_group 2');
  expect(issue?.fix).toMatch(/^Move task "a", which it reviews, to parallel_group 8 or later/u);
  // What is written between its author and itself is told once, as what it is.
  expect(summary(rows(3))).toEqual(['not-later tasks[1].reads[0]']);
});

test('a path that is refused is not asked for', () => {
  expect(summary(reads('../x', 'a*'))).toEqual([
    'invalid-path tasks[0].reads[0]',
    'invalid-path tasks[0].reads[1]',
  ]);
});
