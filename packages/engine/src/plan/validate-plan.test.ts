import { describe, expect, test } from 'vitest';
import { assertPlan, PlanError } from './assert-plan.ts';
import { validatePlan } from './validate-plan.ts';

const now = '2026-02-03T04:05:06Z';

const task = (fields: object = {}) => ({
  id: 'a',
  parallel_group: 1,
  title: 'A',
  description: 'Do it.',
  ...fields,
});

const issuesOf = (plan: unknown) => {
  const validation = validatePlan(plan, { now });
  return validation.ok ? [] : validation.issues;
};

const summary = (plan: unknown) => issuesOf(plan).map(({ code, path }) => `${code} ${path}`);

const withTask = (fields: object) => summary({ goal: 'g', tasks: [task(fields)] });

const withPlan = (fields: object) => summary({ goal: 'g', tasks: [task()], ...fields });

describe('the document', () => {
  test.each([undefined, null, 7, 'goal: x', () => 1])('%s is no plan', (input) => {
    expect(summary(input)).toEqual(['wrong-type ']);
  });

  test('a list of tasks is told where it belongs', () => {
    const [issue] = issuesOf([task()]);
    expect(issue).toMatchObject({ code: 'wrong-type', path: '' });
    expect(issue?.fix).toContain('under the key tasks');
  });

  test('goal and tasks are required', () => {
    expect(summary({})).toEqual(['missing-key goal', 'missing-key tasks']);
    expect(withPlan({ goal: ' ' })).toEqual(['invalid-value goal']);
    expect(withPlan({ tasks: {} })).toEqual(['wrong-type tasks']);
  });

  test('a plan without tasks is refused, one whose tasks are all over is not', () => {
    expect(withPlan({ tasks: [] })).toEqual(['empty-plan tasks']);
    expect(withTask({ status: 'complete', parallel_group: null })).toEqual([]);
  });

  test('gate, schedule and budget are optional and checked', () => {
    expect(
      withPlan({ gate: 'npm test', schedule: 'pipeline', budget: { tokens: 1, usd: 0.5 } }),
    ).toEqual([]);
    expect(
      withPlan({ gate: null, schedule: 'serial', budget: { tokens: 0.5, usd: -1, eur: 3 } }),
    ).toEqual([
      'wrong-type gate',
      'invalid-value schedule',
      'invalid-value budget.tokens',
      'invalid-value budget.usd',
      'unknown-key budget.eur',
    ]);
    expect(withPlan({ budget: [] })).toEqual(['wrong-type budget']);
    expect(withPlan({ budget: { usd: Number.POSITIVE_INFINITY } })).toEqual([
      'invalid-value budget.usd',
    ]);
  });
});

describe('unknown keys', () => {
  test('are refused at every level, with the key that was probably meant', () => {
    const issues = issuesOf({
      goal: 'g',
      gaol: 'g',
      budget: { token: 3 },
      tasks: [task({ dependsOn: [], owner: 'me' })],
    });
    expect(issues.map(({ path }) => path)).toEqual([
      'budget.token',
      'tasks[0].dependsOn',
      'tasks[0].owner',
      'gaol',
    ]);
    expect(issues.map(({ fix }) => /Did you mean (\w+)/u.exec(fix)?.[1])).toEqual([
      'tokens',
      'depends_on',
      undefined,
      'goal',
    ]);
  });

  test('that start with x- are kept at every level', () => {
    const extra = { 'x-note': { any: [1] } };
    const plan = { goal: 'g', ...extra, budget: { ...extra }, tasks: [task(extra)] };
    const validation = validatePlan(plan, { now });
    expect(validation).toMatchObject({ ok: true, plan });
  });

  test.each(['__proto__', 'constructor', 'toString', 'x-', 'X-note'])('%s is one', (key) => {
    const row: unknown = JSON.parse(
      `{"id":"a","parallel_group":1,"title":"A","description":"d","${key}":{"polluted":true}}`,
    );
    expect(summary({ goal: 'g', tasks: [row] })).toEqual([`unknown-key tasks[0].${key}`]);
    expect({}).not.toHaveProperty('polluted');
  });
});

describe('a task', () => {
  test('needs a title and a description', () => {
    expect(summary({ goal: 'g', tasks: [{ id: 'a', parallel_group: 1 }] })).toEqual([
      'missing-key tasks[0].title',
      'missing-key tasks[0].description',
    ]);
    expect(withTask({ title: '', description: 7 })).toEqual([
      'invalid-value tasks[0].title',
      'wrong-type tasks[0].description',
    ]);
  });

  test.each(['verify', 'phase', 'difficulty', 'acceptance'])('%s is a text or absent', (field) => {
    expect(withTask({ [field]: 'text' })).toEqual([]);
    expect(withTask({ [field]: ['text'] })).toEqual([`wrong-type tasks[0].${field}`]);
  });

  test.each(['pending', 'assigned', 'in-progress', 'complete', 'abandoned', 'held', null])(
    'may be %s',
    (status) => expect(withTask({ status })).toEqual([]),
  );

  test.each(['done', 'completed', '', 3])('may not be %j', (status) => {
    expect(withTask({ status })).toHaveLength(1);
  });

  test('assigned_to is another name for assigned_persona', () => {
    expect(assertPlan({ goal: 'g', tasks: [task({ assigned_to: 'w' })] }, { now }).tasks).toEqual([
      task({ assigned_persona: 'w', created_at: now }),
    ]);
    expect(withTask({ assigned_to: 'w', assigned_persona: 'w' })).toEqual([]);
    expect(withTask({ assigned_to: 'w', assigned_persona: 'v' })).toEqual([
      'alias-conflict tasks[0].assigned_to',
    ]);
  });

  test('without created_at is as old as the load; a given time is kept as written', () => {
    const tasks = [task(), task({ id: 'b', created_at: '2026-01-01 08:30' })];
    const plan = assertPlan({ goal: 'g', tasks }, { now });
    expect(plan.tasks.map(({ created_at }) => created_at)).toEqual([now, '2026-01-01 08:30']);
  });

  test('the moment of loading is checked, too', () => {
    expect(validatePlan({ goal: 'g', tasks: [task()] }, { now: 'now' })).toMatchObject({
      ok: false,
      issues: [{ code: 'invalid-created-at', path: '' }],
    });
  });
});

describe('paths', () => {
  test.each([
    '',
    ' ',
    '/etc/passwd',
    '~/x',
    '../x',
    'a/../../x',
    'a/..',
    '.git/config',
    'sub/.GIT/hooks',
    './',
    '.',
    'a\u0000b',
    'a\nb',
    'a\ud800',
  ])('%j is refused wherever a path stands', (path) => {
    expect(withTask({ reads: [path], writes: ['ok', path], must_produce: [path] })).toEqual([
      'invalid-path tasks[0].reads[0]',
      'invalid-path tasks[0].writes[1]',
      'invalid-path tasks[0].must_produce[0]',
    ]);
  });

  test.each([
    './a',
    'a/',
    'app/[id]/page.tsx',
    'a b/ü.ts',
    '.github/x',
    '.gitignore',
    'a..b',
    '-rf',
  ])('%j is a path', (path) =>
    expect(withTask({ reads: [path], writes: [path], must_produce: [path] })).toEqual([]),
  );

  test('patterns are for writes alone', () => {
    expect(withTask({ reads: ['src/*'], writes: ['src/**/*.ts'], must_produce: ['*'] })).toEqual([
      'invalid-path tasks[0].reads[0]',
      'invalid-path tasks[0].must_produce[0]',
    ]);
  });
});

test('an issue names the task, and foreign text in it is harmless', () => {
  const [issue] = issuesOf({ goal: 'g', tasks: [task({ id: 'a\u202eb', status: '\u001b[2J' })] });
  expect(issue?.taskId).toBe('a\u202eb');
  expect(issue?.message).toBe(
    'status of task "a\\u{202e}b" must be pending, assigned, in-progress, complete, abandoned or held, got "\\x1b[2J"',
  );
});

test('an object with code of its own is refused, not run into', () => {
  const trap = new Proxy(
    {},
    {
      get: () => {
        throw new Error('trap');
      },
      ownKeys: () => {
        throw new Error('trap');
      },
    },
  );
  expect(summary(trap)).toEqual(['unreadable ']);
  expect(summary({ goal: 'g', tasks: [trap] })).toEqual(['unreadable ']);
});

test('assertPlan throws what validatePlan returns', () => {
  const plan = { tasks: [task({ attempts: -1 })] };
  const failed = (): unknown => {
    try {
      return assertPlan(plan, { now });
    } catch (error) {
      return error;
    }
  };
  const error = failed();
  expect(error).toBeInstanceOf(PlanError);
  expect(error).toMatchObject({ name: 'PlanError', code: 'INVALID_PLAN', issues: issuesOf(plan) });
  expect(String(error)).toContain('the plan has no goal; attempts of task "a" must be');
});
