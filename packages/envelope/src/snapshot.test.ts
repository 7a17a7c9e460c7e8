import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_CHARACTERS, MAX_DEPTH, MAX_NODES, takeSnapshot } from './snapshot.ts';

const NONE: ReadonlySet<string> = new Set();

const copyOf = (input: unknown, verbatim: ReadonlySet<string> = NONE): unknown => {
  const snapshot = takeSnapshot(input, verbatim);
  if (!snapshot.ok) throw new Error(snapshot.fault);
  return snapshot.value;
};

const faultOf = (input: unknown): string => {
  const snapshot = takeSnapshot(input, NONE);
  return snapshot.ok ? 'none' : snapshot.fault;
};

const nested = (depth: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { value };
  return value;
};

test('ordinary JSON comes back equal, as a new value', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const input: unknown = JSON.parse(text);
      expect(copyOf(input)).toStrictEqual(JSON.parse(text));
    }),
  );
  const input = { list: [{ a: 1 }] };
  const copy = copyOf(input) as typeof input;
  expect(copy).not.toBe(input);
  expect(copy.list[0]).not.toBe(input.list[0]);
});

test('what JSON can not hold is dropped from objects and null in lists', () => {
  const odd = [undefined, () => 1, Symbol('s'), 1n, new Uint8Array(3), new String('s')];
  expect(copyOf(Object.fromEntries(odd.map((value, index) => [`k${index}`, value])))).toEqual({});
  expect(copyOf(odd)).toEqual(odd.map(() => null));
  for (const value of odd) expect(copyOf(value)).toBeUndefined();
});

test('numbers that JSON can not hold are null', () => {
  expect(copyOf({ a: Number.NaN, b: [Number.POSITIVE_INFINITY] })).toEqual({ a: null, b: [null] });
});

test('holes in a list are null', () => {
  expect(copyOf(Object.assign([], { 2: 'c' }))).toEqual([null, null, 'c']);
});

test('only own enumerable string keys count', () => {
  const input = Object.create({ inherited: 1 });
  Object.defineProperty(input, 'hidden', { value: 1, enumerable: false });
  input[Symbol('s')] = 1;
  input.own = 1;
  expect(copyOf(input)).toStrictEqual({ own: 1 });
});

test('toJSON is not called', () => {
  expect(copyOf({ toJSON: () => ({ forged: true }), a: 1 })).toEqual({ a: 1 });
});

test('a __proto__ key is data at every level', () => {
  const text = '{"__proto__":{"a":1},"in":[{"__proto__":null}]}';
  const copy = copyOf(JSON.parse(text)) as Record<string, unknown>;
  expect(JSON.stringify(copy)).toBe(text);
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  expect('a' in copy).toBe(false);
});

test('strings and keys are made well formed, but for the root fields named verbatim', () => {
  const verbatim = new Set(['id']);
  const copy = copyOf(
    { id: 'x\ud800', other: 'x\ud800', 'k\udc00': ['\ud800'], in: { id: 'x\ud800' } },
    verbatim,
  );
  expect(copy).toEqual({
    id: 'x\ud800',
    other: 'x\ufffd',
    'k\ufffd': ['\ufffd'],
    in: { id: 'x\ufffd' },
  });
  expect(copyOf([{ id: 'x\ud800' }], verbatim)).toEqual([{ id: 'x\ufffd' }]);
});

test('each property is read once', () => {
  const reads: string[] = [];
  const watched = (value: object): object =>
    new Proxy(value, {
      get: (target, key) => {
        reads.push(String(key));
        return Reflect.get(target, key);
      },
    });
  copyOf(watched({ a: 1, b: watched(['x', 'y']) }));
  expect(reads.toSorted()).toEqual(['0', '1', 'a', 'b', 'length']);
});

test('nesting is bounded', () => {
  expect(copyOf(nested(MAX_DEPTH))).toStrictEqual(nested(MAX_DEPTH));
  expect(faultOf(nested(MAX_DEPTH + 1))).toBe('too-deep');
  expect(faultOf(nested(100_000))).toBe('too-deep');
});

test('a cycle is refused, a value met twice is not', () => {
  const loop: unknown[] = [];
  loop.push({ in: [loop] });
  expect(faultOf(loop)).toBe('cyclic');
  const shared = { a: 1 };
  expect(copyOf([shared, { shared }])).toEqual([{ a: 1 }, { shared: { a: 1 } }]);
});

test('the number of values is bounded, whatever length is claimed', () => {
  const sparse: unknown[] = [];
  sparse.length = 4_000_000_000;
  expect(faultOf(sparse)).toBe('too-large');
  expect(faultOf(new Proxy([], { get: () => 4_000_000_000 }))).toBe('too-large');
  expect(copyOf(new Array(MAX_NODES))).toHaveLength(MAX_NODES);
  expect(faultOf(new Array(MAX_NODES + 1))).toBe('too-large');
});

test('shared parts that unfold without end are refused', () => {
  let doubling: unknown = 1;
  for (let level = 0; level < 100; level += 1) doubling = [doubling, doubling];
  expect(faultOf(doubling)).toBe('too-large');
  const endless: object = new Proxy(
    {},
    {
      ownKeys: () => ['a', 'b'],
      getOwnPropertyDescriptor: () => ({ value: 1, enumerable: true, configurable: true }),
      get: () => new Proxy(endless, {}),
    },
  );
  expect(faultOf(endless)).toBe('too-deep');
});

test('the number of characters is bounded, a shared text counted each time', () => {
  const half = 'x'.repeat(MAX_CHARACTERS / 2);
  expect(faultOf([half, half])).toBe('none');
  expect(faultOf([half, half, 'x'])).toBe('too-large');
});

test.each([-1, 1.5, Number.NaN, '3', {}])(
  'a list that claims a length of %j is unreadable',
  (length) => {
    expect(faultOf(new Proxy([], { get: () => length }))).toBe('unreadable');
  },
);

test('whatever a trap throws, the input is unreadable', () => {
  const hostile: object = new Proxy(
    {},
    {
      get: () => {
        throw hostile;
      },
      getPrototypeOf: () => {
        throw hostile;
      },
    },
  );
  const thrower = {
    get a() {
      throw hostile;
    },
  };
  expect(faultOf(hostile)).toBe('unreadable');
  expect(faultOf(thrower)).toBe('unreadable');
  expect(faultOf([{ thrower }])).toBe('unreadable');
});
