import fc from 'fast-check';
import { expect, test } from 'vitest';
import { validateReply } from '../src/index.ts';

const EXPECTED = { taskId: 'T-1', attempt: 1 };

const valid = {
  type: 'task_result',
  task_id: 'T-1',
  attempt: 1,
  status: 'done',
  artifacts: ['a'],
  notes_md: 'fine',
};

const boom = (): never => {
  throw new Error('trap');
};

const ALL_TRAPS: ProxyHandler<object> = {
  apply: boom,
  construct: boom,
  defineProperty: boom,
  deleteProperty: boom,
  get: boom,
  getOwnPropertyDescriptor: boom,
  getPrototypeOf: boom,
  has: boom,
  isExtensible: boom,
  ownKeys: boom,
  preventExtensions: boom,
  set: boom,
  setPrototypeOf: boom,
};

const revoked = (target: object): object => {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
};

const cyclic = (): object => {
  const artifacts: unknown[] = [];
  artifacts.push({ artifacts });
  return { ...valid, artifacts };
};

const deep = (): unknown => JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`);

const deeper = (): unknown => {
  let value: unknown = 'end';
  for (let level = 0; level < 100_000; level += 1) value = { value };
  return value;
};

const sparse = (): unknown[] => {
  const list: unknown[] = [];
  list.length = 4_000_000_000;
  return list;
};

test.each<[string, unknown, string]>([
  ['a proxy that throws at every trap', new Proxy({}, ALL_TRAPS), 'unreadable'],
  ['a proxied list that throws at every trap', new Proxy([], ALL_TRAPS), 'unreadable'],
  ['a revoked proxy', revoked({}), 'unreadable'],
  ['a revoked proxied list', revoked([]), 'unreadable'],
  ['a revoked proxy inside', { ...valid, extra: revoked({}) }, 'unreadable'],
  [
    'a getter that throws',
    Object.defineProperty({}, 'type', { get: boom, enumerable: true }),
    'unreadable',
  ],
  [
    'a getter that throws a hostile value',
    {
      get type() {
        throw new Proxy({}, ALL_TRAPS);
      },
    },
    'unreadable',
  ],
  ['a cycle', cyclic(), 'cyclic'],
  ['5,000 levels of JSON', { ...valid, extra: deep() }, 'too-deep'],
  ['100,000 levels of objects', deeper(), 'too-deep'],
  [
    'a list that claims four thousand million elements',
    { ...valid, artifacts: sparse() },
    'too-large',
  ],
  ['a proxied function', new Proxy(boom, ALL_TRAPS), 'not-an-object'],
  ['binary data', new Uint8Array(1_000_000_000), 'not-an-object'],
])('%s is an invalid envelope, not an error', (_, input, code) => {
  const verdict = validateReply(input, EXPECTED);
  expect(verdict).toMatchObject({ ok: false, issues: [{ code, field: 'envelope' }] });
});

test('what was checked is what is returned: a getter that changes its mind is read once', () => {
  let reads = 0;
  const input = {
    ...valid,
    get status() {
      reads += 1;
      return reads === 1 ? 'done' : 'failed';
    },
  };
  const verdict = validateReply(input, EXPECTED);
  expect(reads).toBe(1);
  expect(verdict).toEqual({ ok: true, reply: valid });
  expect(verdict.ok && Object.getOwnPropertyDescriptor(verdict.reply, 'status')).toMatchObject({
    value: 'done',
  });
});

test('what was checked is what is returned: every property of a proxied reply is read once', () => {
  const reads: string[] = [];
  const watched = <Target extends object>(target: Target): Target =>
    new Proxy(target, {
      get: (object, key) => {
        reads.push(String(key));
        return Reflect.get(object, key);
      },
    });
  const artifacts = watched([watched({ kind: 'ref', sha256: 'ab' })]);
  const input = watched({ ...valid, status: 'abandoned', notes_md: 'ABANDON: scope:x', artifacts });
  expect(validateReply(input, EXPECTED).ok).toBe(true);
  expect(reads.toSorted()).toEqual(
    [...Object.keys(valid), 'length', '0', 'kind', 'sha256'].toSorted(),
  );
});

test('changing the input afterwards does not change the reply', () => {
  const input = { ...valid, artifacts: [{ path: 'a' }] };
  const verdict = validateReply(input, EXPECTED);
  input.status = 'abandoned';
  input.artifacts.length = 0;
  expect(verdict).toMatchObject({ reply: { status: 'done', artifacts: [{ path: 'a' }] } });
});

test('the input is left as it was, even when frozen', () => {
  const input = Object.freeze({ ...valid, artifacts: Object.freeze(['x\ud800']) });
  expect(validateReply(input, EXPECTED).ok).toBe(true);
  expect(input.artifacts).toEqual(['x\ud800']);
});

test('anything at all gets a verdict', () => {
  const anything = fc.anything({
    withBigInt: true,
    withBoxedValues: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withObjectString: true,
    withSet: true,
    withSparseArray: true,
    withTypedArray: true,
  });
  const field = fc.constantFrom(...Object.keys(valid));
  fc.assert(
    fc.property(anything, field, (value, key) => {
      for (const input of [value, { ...valid, [key]: value }]) {
        const verdict = validateReply(input, EXPECTED);
        if (verdict.ok) expect(JSON.parse(JSON.stringify(verdict.reply))).toEqual(verdict.reply);
        else expect(verdict.issues.length).toBeGreaterThan(0);
      }
    }),
    { numRuns: 5_000, seed: 11 },
  );
});
