import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPlanFile } from './read-plan-file.ts';

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'atelier-read-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (name: string, content: string | Uint8Array) => {
  const file = join(folder, name);
  writeFileSync(file, content);
  return readPlanFile(file);
};

const refusal = async (document: ReturnType<typeof readPlanFile>) => {
  const result = await document;
  return result.ok ? undefined : result.issues[0];
};

test('YAML and JSON are read, with or without a byte order mark, whatever the name', async () => {
  const expected = { ok: true, value: { a: 1 } };
  expect(await read('a.yaml', 'a: 1')).toEqual(expected);
  expect(await read('a.json', '{"a":1}')).toEqual(expected);
  expect(await read('bom.json', '\ufeff{"a":1}')).toEqual(expected);
  expect(await read('bom.yml', '\ufeffa: 1\r\n')).toEqual(expected);
  expect(await read('json.yaml', '{"a":1}')).toEqual(expected);
  expect(await read('flow.yaml', '{a: 1}')).toEqual(expected);
  expect(await read('noname', 'a: 1')).toEqual(expected);
});

test('repeated keys are found in JSON and in YAML', async () => {
  expect(await refusal(read('d.json', '{"a":1,"a":2}'))).toMatchObject({ code: 'duplicate-key' });
  expect(await refusal(read('d.yaml', 'a: 1\na: 2'))).toMatchObject({ code: 'duplicate-key' });
  expect(await refusal(read('e.yaml', '{"a":1,"a":2}'))).toMatchObject({ code: 'duplicate-key' });
});

test('YAML in a file that is called JSON is an error of JSON', async () => {
  expect(await refusal(read('x.json', 'a: 1'))).toMatchObject({ code: 'syntax' });
});

test.each([
  ['a stray byte', [0x61, 0x3a, 0x20, 0xff], 3],
  ['a cut sequence', [0x61, 0xe2, 0x82], 1],
  ['a cut sequence before text', [0xc3, 0xa9, 0xef, 0x41], 2],
  ['a surrogate', [0x61, 0xed, 0xa0, 0x80], 1],
  ['an overlong form', [0xc0, 0xaf], 0],
  ['UTF-16', [0xff, 0xfe, 0x61, 0x00], 0],
  ['Latin-1', [...Buffer.from('goal: na\u00efve', 'latin1')], 8],
])('%s is not UTF-8, and the place is named', async (_, bytes, offset) => {
  const issue = await refusal(read('u.yaml', new Uint8Array(bytes)));
  expect(issue).toMatchObject({ code: 'not-utf8', path: join(folder, 'u.yaml') });
  expect(issue?.message).toMatch(new RegExp(`offset ${offset}$`, 'u'));
});

test('what is no readable file is said plainly', async () => {
  const missing = join(folder, 'missing.yaml');
  expect(await refusal(readPlanFile(missing))).toMatchObject({
    code: 'unreadable-file',
    path: missing,
    message: 'the file does not exist',
  });
  expect((await refusal(readPlanFile(folder)))?.message).toBe('it is a directory');
  expect((await refusal(readPlanFile(join(missing, 'x'))))?.code).toBe('unreadable-file');
  expect((await refusal(readPlanFile('a\u0000b')))?.code).toBe('unreadable-file');
});

test('a file above the limit is refused, and so is YAML that would not fit into memory', async () => {
  const file = join(folder, 'huge.yaml');
  writeFileSync(file, '');
  truncateSync(file, 64 * 1024 * 1024 + 1);
  expect((await refusal(readPlanFile(file)))?.code).toBe('too-large');
  const large = await refusal(read('large.yaml', `a: ${'x'.repeat(16 * 1024 * 1024)}`));
  expect(large).toMatchObject({ code: 'too-large', fix: 'Write a plan of this size as JSON.' });
});
