import { expect, it } from 'vitest';
import { lastWords, outputTail } from './output-tail.ts';

it('keeps lines, and shows what would act on a terminal', () => {
  expect(outputTail('one\r\n\ttwo\x1b]0;title\x07\n\u202ethree\n\n')).toBe(
    'one\n    two\\x1b]0;title\\x07\n\\u{202e}three',
  );
});

it('drops colours', () => {
  expect(outputTail('\x1b[1;31mred\x1b[0m')).toBe('red');
});

it('keeps the last 8,000 code points, and is well-formed', () => {
  const tail = outputTail(`${'😀'.repeat(20_000)}end\ud800`);
  expect([...tail]).toHaveLength(8_000);
  expect(tail).toMatch(/^…😀.*end\ufffd$/u);
  expect(outputTail('x'.repeat(8_000))).toBe('x'.repeat(8_000));
});

it('gives the last words on one line', () => {
  expect(lastWords('one\n\n  two\nthree\n')).toBe('one | two | three');
  expect([...lastWords('x '.repeat(10_000))].length).toBeLessThanOrEqual(300);
  expect(lastWords('')).toBe('');
});
