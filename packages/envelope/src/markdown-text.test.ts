import { expect, test } from 'vitest';
import { markdownText } from './markdown-text.ts';

test.each([
  ['| cut | <img src=x> `code`', '\\| cut \\| \\<img src=x\\> \\`code\\`'],
  ['# heading', '\\# heading'],
  ['1. item', '1\\. item'],
  ['- item', '\\- item'],
  ['@everyone fixes #12', '@<!-- -->everyone fixes #<!-- -->12'],
  [
    'https://evil.example www.evil.example',
    'https:<!-- -->//evil.example www<!-- -->.evil.example',
  ],
  ['2026-01-01, a-b.txt', '2026-01-01, a-b.txt'],
])('foreign text %j is shown as it is', (given, shown) => {
  expect(markdownText(given)).toBe(shown);
});
