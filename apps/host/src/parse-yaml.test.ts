import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseYaml } from './parse-yaml.ts';

const value = (text: string) => {
  const document = parseYaml('p.yaml', text);
  if (!document.ok) throw new Error(document.issues[0]?.message);
  return document.value;
};

const issues = (text: string) => {
  const document = parseYaml('p.yaml', text);
  return document.ok ? [] : document.issues.map(({ code, path }) => `${code} ${path}`);
};

describe('YAML 1.2 with its core types', () => {
  test('is read', () => {
    expect(value('a: 1\nb: [x, "y", null]\nc: yes\nd: 2026-01-01\ne: 0o10\n')).toEqual({
      a: 1,
      b: ['x', 'y', null],
      c: 'yes',
      d: '2026-01-01',
      e: 8,
    });
  });

  test('reads JSON, too', () => expect(value('{"a": [1, "b"]}')).toEqual({ a: [1, 'b'] }));

  test('lets an anchor be used again', () => {
    expect(value('a: &x [1]\nb: *x\n')).toEqual({ a: [1], b: [1] });
  });

  test('does not merge: << is a key', () =>
    expect(value('<<: {a: 1}')).toEqual({ '<<': { a: 1 } }));

  test('keeps __proto__ a key like any other', () => {
    const parsed = value('__proto__: {polluted: true}');
    expect(Object.keys(Object(parsed))).toEqual(['__proto__']);
    expect({}).not.toHaveProperty('polluted');
  });
});

describe('refused', () => {
  test('repeated keys, each with its place, at any depth', () => {
    expect(issues('a: 1\nb: {c: 1, c: 2}\n"a": 3\n')).toEqual([
      'duplicate-key p.yaml:2:11',
      'duplicate-key p.yaml:3:1',
    ]);
  });

  test('every syntax error', () => {
    expect(issues('a: [1\nb: "x\n')).not.toHaveLength(0);
    expect(issues('a:\n\t- b\n')).toEqual(['syntax p.yaml:2:1']);
  });

  test.each([
    '!foo 1',
    '!!js/function "x"',
    '!!binary aGk=',
    '!!set {x}',
    '!!timestamp 2026-01-01',
  ])('the tag of %s', (text) =>
    expect(issues(`a: ${text}`)).toEqual(['unsupported-yaml p.yaml:1:4']),
  );

  test('another version of YAML', () => {
    expect(issues('%YAML 1.1\n---\na: yes')).toEqual(['unsupported-yaml p.yaml:1:1']);
  });

  test('keys that are no texts', () => {
    expect(issues('? [a]\n: 1')).toEqual(['unsupported-yaml p.yaml:1:3']);
  });

  test.each(['', '\n', '# nothing\n'])('the empty document %j', (text) => {
    expect(issues(text)).toEqual(['empty-file p.yaml']);
  });

  test('more than one document', () => {
    expect(issues('a: 1\n---\nb: 2\n')).toEqual(['several-documents p.yaml']);
  });

  test('aliases that multiply', () => {
    const levels = Array.from({ length: 12 }, (_, i) =>
      i === 0
        ? 'l0: &l0 [x, x, x, x, x, x, x, x, x]'
        : `l${i}: &l${i} [${`*l${i - 1},`.repeat(9)}]`,
    );
    expect(issues(levels.join('\n'))).toEqual(['alias-bomb p.yaml']);
  });

  test('aliases that are too many together, however many anchors they are of', () => {
    const uses = (anchors: number, each: number) =>
      Array.from(
        { length: anchors },
        (_, i) => `a${i}: &a${i} [x]\nb${i}: [${`*a${i},`.repeat(each)}]`,
      ).join('\n');
    expect(issues(uses(10, 100))).toEqual([]);
    expect(issues(uses(11, 91))).toEqual(['alias-bomb p.yaml']);
    // What an alias stands for counts with the aliases in it, and so does an anchor that is set anew.
    expect(issues('a: &a [x]\nb: &b [*a, *a]\nc: [*b, *b]\na2: &a y\nd: *a')).toEqual([]);
    expect(issues(`a: &a x\nb: &b [${'*a,'.repeat(500)}]\nc: *b`)).toEqual(['alias-bomb p.yaml']);
    expect(issues(`a: &a x\nb: &b [${'*a,'.repeat(499)}]\nc: *b`)).toEqual([]);
  });

  test('an alias of what it is part of', () => {
    expect(issues('a: &x\n  b: [*x]\n')).toEqual(['unsupported-yaml p.yaml:2:7']);
  });

  test('an alias without an anchor', () => expect(issues('a: *x')).toEqual(['syntax p.yaml']));

  test.each([
    ['flow', (depth: number) => '['.repeat(depth) + ']'.repeat(depth)],
    ['keys', (depth: number) => '{a: '.repeat(depth) + '}'.repeat(depth)],
    ['block', (depth: number) => '- '.repeat(depth)],
    ['unclosed', (depth: number) => '['.repeat(depth)],
  ])('nesting that would exhaust the stack: %s', (_, nested) => {
    for (const depth of [101, 3000, 10_000])
      expect(issues(nested(depth))).toEqual(['too-deep p.yaml']);
  });

  test('but not nesting that is merely deep', () => {
    expect(issues('['.repeat(100) + ']'.repeat(100))).toEqual([]);
  });
});

test('100,000 keys are compared in linear time, so this ends', () => {
  const text = Array.from({ length: 100_000 }, (_, i) => `k${i}: ${i}`).join('\n');
  expect(issues(`${text}\nk7: again`)).toEqual(['duplicate-key p.yaml:100001:1']);
});

test('nothing makes it throw', () => {
  const pieces = fc.constantFrom(
    ...[
      'a',
      ': ',
      '- ',
      '\n',
      '  ',
      '\n  ',
      '&x ',
      '*x',
      '!t ',
      '!!map ',
      '? ',
      '| ',
      '>-\n',
      '"',
      "'",
      '[',
      ']',
      '{',
      '}',
      ',',
      '---\n',
      '...\n',
      '%YAML 1.1\n',
      '# c',
      '\t',
      '<<: ',
      '\u0000',
      '\ud800',
      '%TAG ! x\n',
    ],
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 25 }), (parts) => {
      expect(typeof parseYaml('p.yaml', parts.join('')).ok).toBe('boolean');
    }),
    { numRuns: 3000 },
  );
});
