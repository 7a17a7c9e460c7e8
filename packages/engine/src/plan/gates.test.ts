import { expect, test } from 'vitest';
import { PLAN_CAPS } from './caps.ts';
import { validatePlan } from './validate-plan.ts';

const now = '2026-02-03T04:05:06Z';

const task = (id: string, fields: object = {}) => ({
  id,
  parallel_group: 1,
  title: 'T',
  description: 'd',
  ...fields,
});

const issuesOf = (tasks: readonly object[], options: object = {}) => {
  const validation = validatePlan({ goal: 'g', tasks }, { now, ...options });
  return validation.ok ? [] : validation.issues;
};

const summary = (...args: Parameters<typeof issuesOf>) =>
  issuesOf(...args).map(({ code, path }) => `${code} ${path}`);

test('a persona that is not in the roster is refused, with the one that was probably meant', () => {
  const personas = new Set(['code-reviewer', 'backend-engineer']);
  const issues = issuesOf(
    [
      task('a', { assigned_persona: 'backend-enginer' }),
      task('b', { assigned_to: 'nobody' }),
      task('c', { assigned_persona: 'code-reviewer' }),
      task('d', { assigned_persona: 'gone', status: 'complete' }),
      task('e'),
    ],
    { personas },
  );
  expect(issues.map(({ code, path }) => `${code} ${path}`)).toEqual([
    'unknown-persona tasks[0].assigned_persona',
    'unknown-persona tasks[1].assigned_to',
  ]);
  expect(issues[0]).toMatchObject({
    taskId: 'a',
    message: 'task "a" is assigned to "backend-enginer", who is not in the roster',
    fix: expect.stringContaining('Did you mean "backend-engineer"?'),
  });
  expect(issues[1]?.fix).toBe('Name one of the 2 personas of the roster.');
});

test('texts and lists have caps: bytes of a description, characters of a title, paths of a list', () => {
  const { titleLength, descriptionBytes, paths } = PLAN_CAPS;
  const list = Array.from({ length: paths }, (_, i) => `f${i}`);
  const most = {
    title: '\u{1f600}'.repeat(titleLength),
    description: 'ü'.repeat(descriptionBytes / 2),
    ...{ reads: list, writes: list, must_produce: list },
  };
  expect(summary([task('a', most)])).toEqual([]);
  const more = [...list, 'one-more'];
  expect(
    summary([
      task('a', { title: `${most.title}x`, description: `${most.description}x`, reads: more }),
      task('b', { writes: more, must_produce: more, parallel_group: 2 }),
    ]),
  ).toEqual([
    'over-cap tasks[0].title',
    'over-cap tasks[0].description',
    'over-cap tasks[0].reads',
    'over-cap tasks[1].writes',
    'over-cap tasks[1].must_produce',
  ]);
});

test('tasks, waves and their width have caps, which an option moves', () => {
  const tasks = [task('a'), task('b'), task('c', { parallel_group: 2 })];
  expect(summary(tasks, { caps: { tasks: 3, waves: 2, width: 2 } })).toEqual([]);
  const messages = (caps: object) => issuesOf(tasks, { caps }).map(({ message }) => message);
  expect(messages({ waves: 1, width: 1 })).toEqual([
    'the plan has 2 waves, more than 1',
    'the plan has 2 tasks in parallel_group 1, more than 1',
  ]);
  expect(messages({ tasks: 2 })).toEqual(['the plan has 3 tasks, more than 2']);
  expect(summary([task('a', { status: 'complete' }), task('b')], { caps: { width: 1 } })).toEqual(
    [],
  );
});

test('a chain in which everyone reads and writes one file is counted, not made: its edges are capped', () => {
  const chain = (length: number) =>
    Array.from({ length }, (_, i) =>
      task(`t${i}`, { parallel_group: i + 1, reads: ['log.md'], writes: ['./log.md'] }),
    );
  const caps = { impliedEdges: 10 };
  expect(summary(chain(5), { caps })).toEqual([]);
  expect(issuesOf(chain(6), { caps })).toEqual([
    expect.objectContaining({
      code: 'over-cap',
      path: 'tasks',
      message: expect.stringContaining('write 15 times in all, more than 10, most often "log.md"'),
    }),
  ]);
  expect(summary(chain(20_000))).toEqual(['over-cap tasks']);
});

test('edges that are written out are capped with those that are implied, before any is made', () => {
  const upstreams = Array.from({ length: 6 }, (_, i) => task(`u${i}`, { writes: [`f${i}`] }));
  const ids = upstreams.map(({ id }) => id);
  const reader = task('r', { parallel_group: 2, depends_on: ids, reads: ['f0', 'f1'] });
  expect(summary([...upstreams, reader], { caps: { impliedEdges: 8 } })).toEqual([]);
  const [implied] = issuesOf([...upstreams, reader], { caps: { impliedEdges: 7 } });
  expect(implied).toMatchObject({ code: 'over-cap', path: 'tasks' });
  expect(implied?.message).toContain('6 entries of depends_on');
  expect(issuesOf([...upstreams, reader, 7 as never], { caps: { impliedEdges: 5 } })).toEqual([
    expect.objectContaining({
      ...{ code: 'over-cap', path: 'tasks' },
      message: 'the plan has 6 entries of depends_on, more than 5',
    }),
  ]);
});

test('the paths of all tasks have a cap, and beyond it no task is looked at', () => {
  const tasks = [
    task('a', { reads: ['/x', 'y'] }),
    task('b', { writes: ['z'], must_produce: ['z'] }),
  ];
  expect(summary(tasks, { caps: { pathsInAll: 4 } })).toContain('invalid-path tasks[0].reads[0]');
  expect(issuesOf(tasks, { caps: { pathsInAll: 3 } })).toEqual([
    expect.objectContaining({
      ...{ code: 'over-cap', path: 'tasks' },
      message: 'the plan has 4 paths in reads, writes and must_produce, more than 3',
    }),
  ]);
  // One list that stands for thousands, as an alias of YAML makes it.
  const shared = Array.from({ length: PLAN_CAPS.paths }, (_, i) => `f${i}`);
  const many = Array.from({ length: 1_000 }, (_, i) => task(`t${i}`, { reads: shared }));
  expect(summary(many)).toEqual(['over-cap tasks']);
});

test('what brackets spell out counts among the paths of all tasks, and beyond the cap no task is looked at', () => {
  // Itself and two more each; a name that is read or produced is one.
  const tasks = ['a', 'b', 'c'].map((id, at) =>
    task(id, { parallel_group: at + 1, writes: [`/${id}[xy]`], must_produce: [`${id}[xy]`] }),
  );
  expect(summary(tasks, { caps: { pathsInAll: 12 } })).toEqual([
    'invalid-path tasks[0].writes[0]',
    'invalid-path tasks[1].writes[0]',
    'invalid-path tasks[2].writes[0]',
  ]);
  expect(issuesOf(tasks, { caps: { pathsInAll: 11 } })).toEqual([
    expect.objectContaining({
      ...{ code: 'over-cap', path: 'tasks' },
      message: 'the plan has 6 paths, and with what their brackets spell out, more than 11',
    }),
  ]);
  const spelled = Array.from({ length: PLAN_CAPS.paths }, (_, i) => `${i}/${'[ab]'.repeat(5)}`);
  const many = Array.from({ length: 4 }, (_, i) => task(`t${i}`, { writes: spelled }));
  expect(summary(many)).toEqual(['over-cap tasks']);
});

test('the lists of a worktree are capped like those of a task, and nothing in one that is over is looked at', () => {
  const plan = (worktree: object) => {
    const tasks = [task('a', { reads: ['out/x'] })];
    const gates = { now, caps: { paths: 2 }, existing: new Set<string>() };
    const validation = validatePlan({ goal: 'g', worktree, tasks }, gates);
    return validation.ok ? [] : validation.issues.map(({ code, path }) => `${code} ${path}`);
  };
  expect(plan({ copy: ['out', '.env'], link: ['a', 'b'] })).toEqual([]);
  expect(plan({ copy: ['out', '/x', 7], link: ['a', 'b', '..'], x: 1 })).toEqual([
    'over-cap worktree.copy',
    'over-cap worktree.link',
    'unknown-key worktree.x',
  ]);
});

test('a list over its cap is told once, and nothing in it is looked at', () => {
  const caps = { paths: 2 };
  const tasks = [
    task('a', { writes: ['/x', '../y', 'out'] }),
    task('b', { parallel_group: 2, reads: ['out'], writes: ['out'] }),
  ];
  expect(summary(tasks, { caps, existing: new Set() })).toEqual(['over-cap tasks[0].writes']);
});

test('one task more than the cap is one answer, and the tasks are not looked at', () => {
  const tasks = Array.from({ length: PLAN_CAPS.tasks + 1 }, () => 'not a task');
  expect(validatePlan({ goal: 'g', tasks }, { now })).toMatchObject({
    ok: false,
    issues: [{ code: 'over-cap', path: 'tasks', message: expect.stringContaining('100001 tasks') }],
  });
});

test('a checked plan has its paths in one spelling, and nothing else of them is changed', () => {
  const fields = {
    reads: ['./a//b/', 'cafe\u0301'],
    writes: ['src/', 'src/./**', 'docs/*/', 'app/[id]/'],
    must_produce: ['./dist/'],
    'x-own': ['./kept//as/is'],
  };
  const validation = validatePlan(
    { goal: 'g', $schema: './s.json', tasks: [task('a', fields), task('b', { reads: null })] },
    { now },
  );
  expect(validation).toEqual({
    ok: true,
    plan: {
      goal: 'g',
      $schema: './s.json',
      tasks: [
        task('a', {
          reads: ['a/b', 'caf\u00e9'],
          // With the slash a pattern covers what is in the folders, too.
          writes: ['src', 'src/**', 'docs/*/', 'app/[id]/'],
          must_produce: ['dist'],
          'x-own': ['./kept//as/is'],
          created_at: now,
        }),
        task('b', { reads: null, created_at: now }),
      ],
    },
  });
});

test('a plan that was checked once stays as it is', () => {
  const tasks = [task('a', { writes: ['./x/*/', 'y//z'] }), task('b', { reads: ['r/'] })];
  const first = validatePlan({ goal: 'g', tasks }, { now });
  expect(first.ok && validatePlan(first.plan, { now })).toEqual(first);
});
