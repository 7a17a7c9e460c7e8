import { expect, test } from 'vitest';
import { assertReply } from './assert-reply.ts';
import { EnvelopeValidationError } from './envelope-validation-error.ts';
import { validateReply } from './validate-reply.ts';

const EXPECTED = { taskId: 'T-1', attempt: 1 };

const done = {
  type: 'task_result',
  task_id: 'T-1',
  attempt: 1,
  status: 'done',
  artifacts: ['a'],
};

const abandoned = { ...done, status: 'abandoned', notes_md: 'ABANDON: conflict:two specs' };

const thrownBy = (run: () => unknown): unknown => {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
};

test('a valid reply is returned with its abandonment, if any', () => {
  expect(assertReply(done, EXPECTED)).toStrictEqual({ reply: done });
  expect(assertReply(abandoned, EXPECTED)).toStrictEqual({
    reply: abandoned,
    abandon: { category: 'conflict', reason: 'two specs' },
  });
});

test('an invalid reply throws an error that carries the issues and the first of them', () => {
  const input = { ...done, attempt: 2, artifacts: [] };
  const verdict = validateReply(input, EXPECTED);
  const error = thrownBy(() => assertReply(input, EXPECTED));
  expect(error).toBeInstanceOf(EnvelopeValidationError);
  expect(error).toBeInstanceOf(Error);
  expect(error).toMatchObject({
    name: 'EnvelopeValidationError',
    code: 'ENVELOPE_INVALID',
    field: 'attempt',
    expected: '1',
    received: '2',
    issues: verdict.ok ? [] : verdict.issues,
  });
  expect(String(error)).toContain('attempt must be 1, but was 2');
  expect(String(error)).toContain('artifacts');
});
