import { Ajv } from 'ajv';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ABANDON_CATEGORIES } from './abandon.ts';
import { CLOSURE_TOKENS } from './closure.ts';
import { replyJsonSchema } from './reply-json-schema.ts';
import { validateReply } from './validate-reply.ts';

const EXPECTED = { taskId: 'T-1', attempt: 2 };

const accepts = new Ajv({ strict: true, strictTypes: true, strictRequired: true }).compile(
  replyJsonSchema(),
);

const valid = {
  type: 'task_result',
  task_id: 'T-1',
  attempt: 2,
  status: 'done',
  artifacts: [{ path: 'a' }],
  notes_md: '',
};

test('the serialised schema never changes by accident', () => {
  expect(JSON.stringify(replyJsonSchema())).toBe(
    '{"type":"object","properties":{"type":{"type":"string","const":"task_result"},"task_id":{"type":"string"},"attempt":{"type":"integer"},"status":{"type":"string","enum":["abandoned","blocked","done","needs-input"]},"artifacts":{"type":"array","items":{"type":"object"}},"notes_md":{"type":"string"}},"required":["type","task_id","attempt","status","artifacts","notes_md"],"additionalProperties":true}',
  );
});

test('each call gives a fresh schema', () => {
  const { properties: first } = replyJsonSchema();
  const { properties: second } = replyJsonSchema();
  expect(first).toEqual(second);
  expect(first).not.toBe(second);
});

test('a strict compiler takes the schema, and it holds what it says', () => {
  expect(accepts(valid)).toBe(true);
  expect(accepts({ ...valid, more: 1 })).toBe(true);
  for (const key of Object.keys(valid)) {
    const rest = Object.fromEntries(Object.entries(valid).filter(([name]) => name !== key));
    expect(accepts(rest)).toBe(false);
    expect(accepts({ ...valid, [key]: null })).toBe(false);
  }
  expect(accepts({ ...valid, status: 'failed' })).toBe(false);
  expect(accepts({ ...valid, task_id: 7 })).toBe(false);
  expect(accepts({ ...valid, attempt: 1.5 })).toBe(false);
  expect(accepts({ ...valid, artifacts: ['a'] })).toBe(false);
});

test('what the schema accepts, with the right identity and its rules kept, is a valid reply', () => {
  const hash = fc.stringMatching(/^[0-9a-f]{1,64}$/);
  // A bare reference is the one element rule the schema can not say.
  const artifact = fc.oneof(
    fc.dictionary(fc.string(), fc.jsonValue()).filter(({ kind }) => kind !== 'ref'),
    fc.record({ kind: fc.constant('ref'), sha256: hash }),
  );
  const reason = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 200 });
  const line = fc
    .tuple(fc.constantFrom(...ABANDON_CATEGORIES), reason, fc.string())
    .map(([category, why, rest]) => `ABANDON: ${category}:${why}\n${rest}`);
  const reply = fc
    .tuple(
      fc.record({
        type: fc.constantFrom('task_result', 'task_result', 'other'),
        task_id: fc.constantFrom<unknown>('T-1', 'T-1', 'T-1', 1),
        attempt: fc.constantFrom<unknown>(2, 2, 2, 2.5, '2'),
        status: fc.constantFrom<string>(...CLOSURE_TOKENS, 'failed'),
        artifacts: fc.array(fc.oneof({ weight: 9, arbitrary: artifact }, fc.string()), {
          minLength: 1,
          maxLength: 3,
        }),
        notes_md: fc.oneof(fc.string(), fc.string(), fc.jsonValue()),
      }),
      fc.dictionary(fc.string(), fc.jsonValue()),
      line,
    )
    .map(([fields, extra, notes]) => ({
      ...extra,
      ...fields,
      ...(fields.status === 'abandoned' ? { notes_md: notes } : {}),
    }));
  let accepted = 0;
  fc.assert(
    fc.property(reply, (input) => {
      if (!accepts(input)) return;
      accepted += 1;
      expect(validateReply(input, EXPECTED).ok).toBe(true);
    }),
    { numRuns: 10_000, seed: 7 },
  );
  expect(accepted).toBeGreaterThan(1000);
});
