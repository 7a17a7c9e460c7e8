import { expect, test } from 'vitest';
import { beginningOf } from './places.ts';

test('what every covered path begins with', () => {
  expect(beginningOf('./.env*')).toBe('.env');
  expect(beginningOf('a/b')).toBe('a/b');
  expect(beginningOf('**/x')).toBe('');
});
