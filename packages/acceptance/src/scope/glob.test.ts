import fc from 'fast-check';
import picomatch from 'picomatch';
import { describe, expect, it } from 'vitest';
import { expandBraces } from './expand-braces.ts';
import { glob } from './glob.ts';

describe('a pattern', () => {
  it.each([
    ['src/*', 'src/a', true],
    ['src/*', 'src/a/b', false],
    ['src/**', 'src/a/b', true],
    ['src/**', 'src', false],
    ['*/**', 'a', false],
    ['**', 'a/b', true],
    ['{a/**,b}', 'a/x', true],
    ['**/a', 'a', true],
    ['**/a', 'x/y/a', true],
    ['**/a/**/b', 'a/x/a/y/b', true],
    ['**/a/**/b', 'b/x/a', false],
    ['*.{ts,tsx}', '.hidden.tsx', true],
    ['{src/a,docs}/**', 'src/a/x', true],
    ['{src/a,docs}/**', 'src/b/x', false],
    ['[a-c]x[!0-9]', 'bxq', true],
    ['[a-c]x[^0-9]', 'bx7', false],
    ['[]a]', ']', true],
    ['a[', 'a[', true],
    ['\\*', '*', true],
    ['\\*', 'a', false],
    ['a?c', 'a😀c', true],
    ['a**c', 'abbc', true],
    ['(a|b)', '(a|b)', true],
    ['a.c', 'abc', false],
  ])('%j on %j: %s', (pattern, path, matches) => {
    expect(glob(pattern)(path)).toBe(matches);
  });

  it('means the same as it does elsewhere', () => {
    const piece = fc.constantFrom('a', 'b', '.', '*', '?', '[ab]', '[^a]', '{a,b.}', 'ab');
    const segment = fc
      .array(piece, { minLength: 1, maxLength: 4 })
      .map((pieces) => pieces.join('').replaceAll(/\*+/g, '*'))
      .filter((text) => !/^\.+$/.test(text));
    const pattern = fc
      .array(fc.oneof({ weight: 3, arbitrary: segment }, fc.constant('**')), {
        minLength: 1,
        maxLength: 4,
      })
      .map((segments) => segments.join('/'))
      // Whether these mean the folder, too, differs elsewhere with what is before them.
      .filter((text) => !text.endsWith('**'));
    const name = fc
      .array(fc.constantFrom('a', 'b', '.'), { minLength: 1, maxLength: 3 })
      .map((letters) => letters.join(''))
      .filter((text) => !/^\.+$/.test(text));
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
    fc.assert(
      fc.property(pattern, path, (one, other) => {
        // Its short cuts take `*.*` for something else than its rules do.
        const rules = { dot: true, nonegate: true, windows: false, fastpaths: false };
        const expected = picomatch(one, rules)(other);
        expect([one, other, glob(one)(other)]).toEqual([one, other, expected]);
      }),
      { numRuns: 5_000 },
    );
  });

  it('takes no time for a path that was made for it', { timeout: 10_000 }, () => {
    const patterns = ['**/*a*a*a*a*a*b', '**/a/**/a/**/a/**/a/**/b', '*{a,*a}*{a,*a}*{a,*a}*b'];
    const paths = ['a'.repeat(4_000), 'a/'.repeat(2_000), `src/${'a'.repeat(4_000)}`];
    for (const pattern of patterns)
      for (const path of paths) expect(glob(pattern)(path)).toBe(false);
  });
});

describe('braces', () => {
  it.each([
    ['a{b,c{d,e}}f', ['abf', 'acdf', 'acef']],
    ['{a,}b', ['ab', 'b']],
    ['{a}', ['{a}']],
    ['{{a,b}}', ['{a}', '{b}']],
    ['{a,b', ['{a,b']],
    ['a}', ['a}']],
    ['\\{a,b}', ['\\{a,b}']],
    ['{a\\,b,c}', ['a\\,b', 'c']],
    ['{a{b,c}', ['{ab', '{ac']],
  ])('%j', (pattern, expanded) => {
    expect(expandBraces(pattern)).toEqual(expanded);
  });

  it('that mean too much mean nothing', () => {
    expect(expandBraces('{a,b}'.repeat(30))).toEqual([]);
    expect(expandBraces('{a,b}'.repeat(9))).toHaveLength(512);
    expect(expandBraces('{'.repeat(5_000))).toHaveLength(1);
  });
});
