import { expect, test } from 'vitest';
import type { ExpectedIdentity } from './reply.ts';
import type { ReplyIssue } from './reply-issue.ts';
import { validateReply } from './validate-reply.ts';

const EXPECTED: ExpectedIdentity = { taskId: 'T-1', attempt: 3 };

const valid = {
  type: 'task_result',
  task_id: 'T-1',
  attempt: 3,
  status: 'done',
  artifacts: [{ path: 'src/a.ts' }],
  notes_md: 'Added a.ts.',
};

const issuesOf = (input: unknown, expected = EXPECTED): readonly ReplyIssue[] => {
  const verdict = validateReply(input, expected);
  return verdict.ok ? [] : verdict.issues;
};

const codesOf = (input: unknown): string[] =>
  issuesOf(input).map((issue) => `${issue.field} ${issue.code}`);

const without = (key: keyof typeof valid): object =>
  Object.fromEntries(Object.entries(valid).filter(([name]) => name !== key));

test('a valid reply comes back equal, as a copy, with no abandonment', () => {
  const verdict = validateReply(valid, EXPECTED);
  expect(verdict).toStrictEqual({ ok: true, reply: valid });
  expect(verdict.ok && verdict.reply).not.toBe(valid);
});

test('values stay as they came and unknown keys are kept', () => {
  const input = { ...valid, attempt: '3', next_action: 'review', extra: { deep: [1, null] } };
  expect(validateReply(input, EXPECTED)).toStrictEqual({ ok: true, reply: input });
});

test.each([
  [undefined, 'nothing'],
  [null, 'null'],
  [[valid], 'a list of 1'],
  ['{}', '"{}"'],
  [7, '7'],
  [true, 'true'],
  [() => valid, 'nothing'],
])('seed check 0: an envelope is an object (case %#)', (input, received) => {
  expect(codesOf(input)).toEqual(['envelope not-an-object']);
  expect(issuesOf(input)[0]?.received).toBe(received);
});

test('seed check 1: type is exactly task_result', () => {
  expect(codesOf(without('type'))).toEqual(['type missing']);
  expect(codesOf({ ...valid, type: 'Task_result' })).toEqual(['type mismatch']);
  expect(codesOf({ ...valid, type: ['task_result'] })).toEqual(['type wrong-type']);
});

test('seed checks 2 and 3: identity is present and names the dispatched attempt', () => {
  expect(codesOf(without('task_id'))).toEqual(['task_id missing']);
  expect(codesOf({ ...valid, task_id: null })).toEqual(['task_id missing']);
  expect(codesOf({ ...valid, task_id: 'T-2' })).toEqual(['task_id mismatch']);
  expect(codesOf(without('attempt'))).toEqual(['attempt missing']);
  expect(codesOf({ ...valid, attempt: null })).toEqual(['attempt missing']);
  expect(codesOf({ ...valid, attempt: 2 })).toEqual(['attempt mismatch']);
});

test.each([
  ['t-1', 'case'],
  [' T-1', 'space'],
  ['T-1\n', 'line break'],
  ['T\u20111', 'look-alike'],
  ['T-1\ud800', 'lone surrogate'],
  ['', 'empty'],
])('decision 21: task_id %j does not match T-1 (%s)', (taskId) => {
  expect(codesOf({ ...valid, task_id: taskId })).toEqual(['task_id mismatch']);
});

test('decision 21: no Unicode normalisation of task_id', () => {
  const expected = { taskId: 'T\u00e9', attempt: 3 };
  expect(validateReply({ ...valid, task_id: 'T\u00e9' }, expected).ok).toBe(true);
  expect(validateReply({ ...valid, task_id: 'Te\u0301' }, expected).ok).toBe(false);
});

test('decision 21: a lone surrogate never becomes the id that holds U+FFFD', () => {
  const expected = { taskId: 'T\ufffd', attempt: 3 };
  expect(validateReply({ ...valid, task_id: 'T\ufffd' }, expected).ok).toBe(true);
  expect(validateReply({ ...valid, task_id: 'T\ud800' }, expected).ok).toBe(false);
});

test('decision 21: text and number match by canonical text, both ways', () => {
  for (const taskId of [7, '7']) {
    for (const given of [7, '7']) {
      expect(validateReply({ ...valid, task_id: given }, { taskId, attempt: 3 }).ok).toBe(true);
    }
  }
});

test('decision 21: a number that may have been rounded matches nothing', () => {
  const rounded: unknown = JSON.parse('9007199254740993');
  for (const taskId of ['9007199254740992', '9007199254740993', 9007199254740992]) {
    const input = { ...valid, task_id: rounded };
    expect(issuesOf(input, { taskId, attempt: 3 })[0]).toMatchObject({
      code: 'mismatch',
      field: 'task_id',
      message: expect.stringContaining('send task_id as text'),
    });
  }
  const exact = { taskId: '9007199254740993', attempt: 3 };
  expect(validateReply({ ...valid, task_id: '9007199254740993' }, exact).ok).toBe(true);
});

test('decision 21: a dispatched number that is not a safe integer is met by no reply', () => {
  expect(
    validateReply({ ...valid, attempt: 'NaN' }, { taskId: 'T-1', attempt: Number.NaN }).ok,
  ).toBe(false);
  expect(validateReply({ ...valid, attempt: 1.5 }, { taskId: 'T-1', attempt: 1.5 }).ok).toBe(false);
});

test.each([true, false, [3], ['T-1'], { v: 3 }, {}, []])(
  'decision 21: %j is no identity',
  (value) => {
    expect(codesOf({ ...valid, attempt: value })).toEqual(['attempt wrong-type']);
    expect(codesOf({ ...valid, task_id: value })).toEqual(['task_id wrong-type']);
  },
);

test('seed check 4: status is one of the four tokens', () => {
  expect(codesOf(without('status'))).toEqual(['status missing']);
  expect(codesOf({ ...valid, status: ['done'] })).toEqual(['status wrong-type']);
  expect(codesOf({ ...valid, status: { toString: 'done' } })).toEqual(['status wrong-type']);
  expect(codesOf({ ...valid, status: 'done\ud800' })).toEqual(['status unknown-status']);
  expect(issuesOf({ ...valid, status: 'complete' })[0]).toMatchObject({
    code: 'unknown-status',
    expected: 'one of abandoned, blocked, done, needs-input',
    received: '"complete"',
  });
});

test('decision 1: failed is not a status', () => {
  expect(codesOf({ ...valid, status: 'failed' })).toEqual(['status unknown-status']);
});

test('seed check 5: artifacts is a list', () => {
  expect(codesOf(without('artifacts'))).toEqual(['artifacts missing']);
  expect(codesOf({ ...valid, artifacts: { 0: 'a', length: 1 } })).toEqual(['artifacts not-a-list']);
  expect(codesOf({ ...valid, artifacts: 'a' })).toEqual(['artifacts not-a-list']);
});

test('decision 2: only a held reply may list no artifacts', () => {
  const notes = { artifacts: [], notes_md: 'ABANDON: scope:x' };
  expect(codesOf({ ...valid, ...notes })).toEqual(['artifacts empty']);
  expect(codesOf({ ...valid, ...notes, status: 'abandoned' })).toEqual(['artifacts empty']);
  expect(codesOf({ ...valid, ...notes, status: 'blocked' })).toEqual([]);
  expect(codesOf({ ...valid, ...notes, status: 'needs-input' })).toEqual([]);
});

test('an invalid status is told once: it asks for a list, but for no length', () => {
  expect(codesOf({ ...valid, status: 'x', artifacts: [] })).toEqual(['status unknown-status']);
  expect(codesOf({ ...valid, status: 'x', artifacts: 1 })).toEqual([
    'status unknown-status',
    'artifacts not-a-list',
  ]);
});

test('decision 33: elements are free', () => {
  const artifacts = ['a', null, 0, false, [], {}, { kind: 'file' }, { sha256: '' }, ['ref']];
  expect(codesOf({ ...valid, artifacts })).toEqual([]);
});

test.each([undefined, null, '', ' \t\n', '\x1c\x85', 1, ['ab'], {}])(
  'decision 33: a reference with sha256 %j is refused by index',
  (sha256) => {
    const input = { ...valid, artifacts: ['a', { kind: 'ref', sha256 }, { kind: 'ref' }] };
    expect(codesOf(input)).toEqual(['artifacts bad-reference']);
    expect(issuesOf(input)[0]?.message).toContain('artifacts[1]');
  },
);

test('decision 33: a reference with a hash is an artifact', () => {
  expect(codesOf({ ...valid, artifacts: [{ kind: 'ref', sha256: 'ab' }] })).toEqual([]);
});

test('decision 33: a held reply may not carry a bad reference either', () => {
  const input = { ...valid, status: 'blocked', artifacts: [{ kind: 'ref' }] };
  expect(codesOf(input)).toEqual(['artifacts bad-reference']);
});

test('seed check 6: an abandoned reply says why on its first line', () => {
  const abandoned = { ...valid, status: 'abandoned' };
  expect(codesOf(abandoned)).toEqual(['notes_md no-abandon-line']);
  expect(codesOf({ ...without('notes_md'), status: 'abandoned' })).toEqual(['notes_md missing']);
  expect(codesOf({ ...abandoned, notes_md: ['ABANDON: scope:x'] })).toEqual([
    'notes_md wrong-type',
  ]);
  expect(codesOf({ ...abandoned, notes_md: 'x\nABANDON: scope:x' })).toEqual([
    'notes_md no-abandon-line',
  ]);
  expect(validateReply({ ...abandoned, notes_md: 'ABANDON: scope:x\ny' }, EXPECTED)).toMatchObject({
    ok: true,
    abandon: { category: 'scope', reason: 'x' },
  });
});

test.each(['done', 'blocked', 'needs-input'])('the notes of a %s reply are free', (status) => {
  for (const notes of [undefined, null, 7, 'ABANDON: scope:x']) {
    const verdict = validateReply({ ...valid, status, notes_md: notes }, EXPECTED);
    expect(verdict.ok).toBe(true);
    expect(verdict).not.toHaveProperty('abandon');
  }
});

test('all failed checks are told, in the order of the seed', () => {
  expect(codesOf({})).toEqual([
    'type missing',
    'task_id missing',
    'attempt missing',
    'status missing',
    'artifacts missing',
  ]);
  expect(codesOf({ notes_md: 1, artifacts: [], status: 'abandoned', attempt: 1 })).toEqual([
    'type missing',
    'task_id missing',
    'attempt mismatch',
    'artifacts empty',
    'notes_md wrong-type',
  ]);
});

test('issue texts are short, printable, and name the field', () => {
  const nasty = `\x1b]0;x\x07\u202e\n${'x'.repeat(100_000)}`;
  const issues = issuesOf(
    { type: nasty, task_id: nasty, attempt: nasty, status: nasty, artifacts: nasty },
    { taskId: nasty + nasty, attempt: 3 },
  );
  expect(issues).toHaveLength(5);
  const notes = issuesOf({ ...valid, status: 'abandoned', notes_md: nasty });
  for (const issue of [...issues, ...notes]) {
    expect(issue.message).toContain(issue.field);
    for (const text of [issue.expected, issue.received, issue.message]) {
      expect(text).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      expect(text.length).toBeLessThan(500);
    }
  }
});

test('inherited fields do not count', () => {
  expect(codesOf(Object.create(valid))[0]).toBe('type missing');
  const artifacts = [Object.create({ kind: 'ref' }), { kind: 'ref', __proto__: { sha256: 'ab' } }];
  expect(issuesOf({ ...valid, artifacts })[0]?.message).toContain('artifacts[1]');
});

test('fields offered by a changed Object.prototype do not count', () => {
  Object.defineProperty(Object.prototype, 'type', { value: 'task_result', configurable: true });
  try {
    expect(codesOf(without('type'))).toEqual(['type missing']);
  } finally {
    Reflect.deleteProperty(Object.prototype, 'type');
  }
});
