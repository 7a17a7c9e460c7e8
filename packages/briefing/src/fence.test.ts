import { expect, test } from 'vitest';
import { fence, fenceNames } from './fence.ts';

test('a path in a decomposed form stays as it is, a text is composed', () => {
  expect(fenceNames('p', ['e\u0301.ts'])).toBe('<<< p\n| "e\u0301.ts"\n>>>');
  expect(fence('t', 'e\u0301.ts')).toBe('<<< t\n| \u00e9.ts\n>>>');
});

test('a name is shown whole, or left out and counted', () => {
  expect(fenceNames('p', ['d', 'ccc', 'bbbbbbbb', 'a'], 12)).toBe(
    '<<< p\n| "a"\n| "ccc"\n| "d"\n>>> 1 more names were cut',
  );
  expect(fenceNames('p', ['long'], 3)).toBe('<<< p\n>>> 1 more names were cut');
});
