import { expect, test } from 'vitest';
import { documentIn } from './document-in.ts';

const detailOf = (text: string) => {
  const found = documentIn(text);
  return found.ok ? 'a document' : found.detail;
};

test('§4.1: the text as a whole, else its last fenced block', () => {
  expect(documentIn(' {"goal":"x"}\n')).toEqual({ ok: true, document: { goal: 'x' } });
  const two = 'First:\n```json\n{"a":1}\n```\nBetter:\n```\n{"a":2}\n```\nThat is all.';
  expect(documentIn(two)).toEqual({ ok: true, document: { a: 2 } });
  expect(documentIn('```JSON\r\n[1]\r\n```')).toEqual({ ok: true, document: [1] });
});

test('a fence inside a text of the document ends nothing', () => {
  const document = { tasks: [{ description: 'Write:\n```ts\nok();\n```\ndone' }] };
  expect(documentIn(JSON.stringify(document))).toEqual({ ok: true, document });
  const fenced = `Here:\n\`\`\`json\n${JSON.stringify(document, null, 2)}\n\`\`\``;
  expect(documentIn(fenced)).toEqual({ ok: true, document });
});

test.each([
  ['', 'empty'],
  [' \n\t', 'empty'],
  ['I could not make a plan.', 'not valid JSON'],
  ['```json\n{"a":\n```', 'not valid JSON'],
  ['```json\n{"a":1}', 'not valid JSON'],
  ['"tasks"', 'neither an object nor a list'],
  ['null', 'neither an object nor a list'],
  ['{a: 1}', 'not valid JSON'],
  ['\u001b[2J', 'not valid JSON'],
])('§4.1: %j holds no document', (text, why) => {
  expect(detailOf(text)).toContain(why);
  expect(detailOf(text)).not.toMatch(/\p{Cc}/u);
});

test.each(['__proto__', 'constructor', 'prototype'])(
  'a key that reaches for a prototype (%s) is refused, however deep',
  (key) => {
    expect(detailOf(`{"tasks":[{"x-a":{"${key}":{"polluted":true}}}]}`)).toContain(key);
    expect(detailOf(`{"\\u005f\\u005fproto__":1}`)).toContain('__proto__');
    expect(({} as { polluted?: true }).polluted).toBeUndefined();
  },
);

test('what is too large or too deep is not taken, and no depth exhausts the stack', () => {
  expect(detailOf(`"${'x'.repeat(1024 * 1024)}"`)).toContain('1 MiB');
  // 0.6 million characters, 1.2 million bytes.
  expect(detailOf(`["${'ä'.repeat(600_000)}"]`)).toContain('1 MiB');
  expect(detailOf(`${'['.repeat(101)}${']'.repeat(101)}`)).toContain('100 levels');
  expect(detailOf(`${'['.repeat(100)}${']'.repeat(100)}`)).toBe('a document');
  expect(detailOf(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)).not.toBe('a document');
});
