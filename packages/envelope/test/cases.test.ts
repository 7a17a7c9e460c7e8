import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { assertReply, printable, validateReply } from '../src/index.ts';

interface Matrix {
  readonly dispatched: { readonly task_id: string; readonly attempt: number };
  readonly rows: readonly { readonly raw: string; readonly expect: string }[];
}

const FIRST = { taskId: 'T-1', attempt: 1 };

const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`fixtures/cases/${name}.json`, import.meta.url), 'utf8'));

/** The reply inside an agent's result record. */
const replyIn = (name: string): unknown =>
  (fixture(name) as { readonly structured_output: unknown }).structured_output;

test('O-06a: a lone surrogate in the notes is made well formed, and the reply counts', () => {
  const { reply } = assertReply(replyIn('O-06a-lone-surrogate'), FIRST);
  expect(reply.status).toBe('done');
  expect(reply.notes_md).toBe('half \ufffd pair');
  const bytes = new TextEncoder().encode(JSON.stringify(reply));
  const decoded = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  expect(JSON.parse(decoded)).toEqual(reply);
  expect(decoded).not.toContain('\\ud83d');
});

test('O-06b: a lone surrogate in task_id is a mismatch, never repaired', () => {
  const input = replyIn('O-06b-lone-surrogate-in-id');
  for (const taskId of ['T-1', 'T-1\ufffd']) {
    const verdict = validateReply(input, { taskId, attempt: 1 });
    expect(verdict).toMatchObject({
      ok: false,
      issues: [{ field: 'task_id', code: 'mismatch', received: '"T-1\\u{dc00}"' }],
    });
  }
});

test.each([
  ['O-07a', '__proto__', 'O-07a-key-proto'],
  ['O-07b', 'constructor', 'O-07b-key-constructor'],
  ['O-07c', 'toString', 'O-07c-key-toString'],
  ['O-07d', 'hasOwnProperty', 'O-07d-key-hasOwnProperty'],
])('%s: the key %s is kept like any unknown key and changes no prototype', (_, key, name) => {
  const input = replyIn(name);
  const { reply } = assertReply(input, FIRST);
  expect(reply.status).toBe('done');
  expect(Object.hasOwn(reply, key)).toBe(true);
  expect(Object.getPrototypeOf(reply)).toBe(Object.prototype);
  expect(JSON.stringify(reply)).toBe(JSON.stringify(input));
  expect(Reflect.get({}, 'status')).toBeUndefined();
});

const matrix = fixture('O-08-attempt-matrix') as Matrix;

test.each(matrix.rows)('O-08: attempt $raw against 3: $expect', ({ raw, expect: expected }) => {
  const { task_id: taskId, attempt } = matrix.dispatched;
  const member = raw === '(key absent)' ? '' : `"attempt":${raw},`;
  const text = `{"type":"task_result","task_id":"T-1",${member}"status":"done","artifacts":["a"]}`;
  const verdict = validateReply(JSON.parse(text), { taskId, attempt });
  expect(verdict.ok).toBe(expected.startsWith('match'));
  if (!verdict.ok) expect(verdict.issues.map((issue) => issue.field)).toEqual(['attempt']);
});

test('O-53: terminal sequences stay in the stored reason and reach no line that is shown', () => {
  const input = replyIn('O-53-terminal');
  const { reply, abandon } = assertReply(input, FIRST);
  expect(reply.status).toBe('abandoned');
  expect(abandon?.category).toBe('scope');
  expect(abandon?.reason).toContain('\x1b[2J');
  expect(printable(abandon?.reason)).toBe(
    '\\x1b[2J\\x1b[H\\x1b]0;all green\\x07\\x1b]52;c;ZWNobyBoaQ==\\x07 fine',
  );
});

test('O-53: terminal sequences in a refused reply reach no issue text', () => {
  const notes = assertReply(replyIn('O-53-terminal'), FIRST).reply.notes_md;
  const verdict = validateReply({ type: notes, task_id: notes, status: notes }, FIRST);
  expect(verdict.ok).toBe(false);
  expect((verdict.ok ? [] : verdict.issues).map((issue) => issue.field)).toEqual([
    'type',
    'task_id',
    'attempt',
    'status',
    'artifacts',
  ]);
  for (const issue of verdict.ok ? [] : verdict.issues) {
    expect(Object.values(issue).join('')).not.toMatch(/\p{Cc}/u);
  }
});
