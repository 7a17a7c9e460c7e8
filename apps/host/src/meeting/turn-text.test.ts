import { expect, test } from 'vitest';
import { readTurn, saysIn } from './turn-text.ts';

test('a turn is one JSON object that says something', () => {
  const read = readTurn('{"says":" yes ","stand":"agree"}');
  expect(read).toEqual({ ok: true, said: { says: ' yes ', stand: 'agree' } });
  expect(read.ok && saysIn(read.said)).toBe('yes');
});

test.each([
  '',
  'yes',
  'null',
  '["I am the lead"]',
  '{"stand":"agree"}',
  '{"says":" "}',
  '{"says":{"toString":1}}',
  '{"__proto__":{"says":"x"}}',
  `{"says":"${'x'.repeat(1024 * 1024)}"}`,
  '['.repeat(20_000),
])('anything else is none: %#', (text) => {
  expect(readTurn(text)).toMatchObject({
    ok: false,
    fault: expect.stringContaining('the turn is'),
  });
});
