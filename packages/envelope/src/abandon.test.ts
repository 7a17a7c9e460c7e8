import { expect, test } from 'vitest';
import { ABANDON_CATEGORIES, ABANDON_RE, parseAbandon } from './abandon.ts';

const FACE = '\u{1f600}';

test('the grammar is one constant with this exact text', () => {
  expect(ABANDON_RE.source).toBe(
    '^ABANDON: (?<category>scope|blocked|conflict|capacity|stale_rules|no_consensus|destructive_rejected|tests_unrecoverable):(?<reason>.{1,200})$',
  );
  expect(ABANDON_RE.flags).toBe('u');
});

test('eight categories, which can not be changed', () => {
  expect(ABANDON_CATEGORIES).toHaveLength(8);
  expect(() => Reflect.apply(Array.prototype.push, ABANDON_CATEGORIES, ['other'])).toThrow(
    TypeError,
  );
});

test.each(ABANDON_CATEGORIES)('category %s is understood', (category) => {
  expect(parseAbandon(`ABANDON: ${category}:why`)).toEqual({ category, reason: 'why' });
});

test('a space after the second colon belongs to the reason', () => {
  expect(parseAbandon('ABANDON: scope: why')).toEqual({ category: 'scope', reason: ' why' });
});

test('further colons belong to the reason', () => {
  expect(parseAbandon('ABANDON: scope:a:b')).toEqual({ category: 'scope', reason: 'a:b' });
});

test('only the first line counts', () => {
  expect(parseAbandon('ABANDON: scope:why\nABANDON: capacity:not this')).toEqual({
    category: 'scope',
    reason: 'why',
  });
  expect(parseAbandon('sorry\nABANDON: scope:why')).toBeUndefined();
  expect(parseAbandon('\nABANDON: scope:why')).toBeUndefined();
});

test('decision 22: a line break other than LF ends the reason', () => {
  expect(parseAbandon('ABANDON: scope:a\u2028b')?.reason).toBe('a');
  expect(parseAbandon('ABANDON: scope:a\x85b')?.reason).toBe('a');
  expect(parseAbandon('ABANDON: scope:\u2028b')).toBeUndefined();
});

test('decision 22: the reason is counted in code points', () => {
  expect(parseAbandon(`ABANDON: scope:${FACE.repeat(200)}`)?.reason).toBe(FACE.repeat(200));
  expect(parseAbandon(`ABANDON: scope:${FACE.repeat(201)}`)).toBeUndefined();
  expect(parseAbandon(`ABANDON: scope:${'x'.repeat(200)}`)?.reason).toHaveLength(200);
  expect(parseAbandon(`ABANDON: scope:${'x'.repeat(201)}`)).toBeUndefined();
});

test.each([
  '',
  'ABANDON: scope:',
  'ABANDON: other:x',
  'ABANDON:scope:x',
  ' ABANDON: scope:x',
  '\ufeffABANDON: scope:x',
  'abandon: scope:x',
  'ABANDON: Scope:x',
  'ABANDON: scope :x',
  'ABANDON: scope',
  'ABANDON: scope|blocked:x',
  'ABANDON: :x',
])('%j is not an abandonment', (notes) => {
  expect(parseAbandon(notes)).toBeUndefined();
});

test.each([undefined, null, 7, true, {}, ['ABANDON: scope:x']])(
  'notes that are not text (%j) are not an abandonment',
  (notes) => {
    expect(parseAbandon(notes)).toBeUndefined();
  },
);

test('reading twice gives the same answer', () => {
  expect(parseAbandon('ABANDON: scope:x')).toEqual(parseAbandon('ABANDON: scope:x'));
});
