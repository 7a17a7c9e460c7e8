import { expect, it } from 'vitest';
import { sseRecords } from './sse-records.ts';

function read(chunks: (string | Buffer)[], longest?: number): unknown[] {
  const records: unknown[] = [];
  const reader = sseRecords((record) => records.push(record), longest);
  for (const chunk of chunks) reader.read(Buffer.from(chunk));
  return records;
}

it('records come out the same, however the bytes are cut', () => {
  const stream =
    'event: a\r\ndata: {"ü":1}\r\n\r\n: note\n\ndata:{"b":\ndata: 2}\nid: 7\n\n\n\ndata: [3]\n\n';
  const bytes = Buffer.from(stream);
  const whole = [{ ü: 1 }, { b: 2 }, [3]];
  expect(read([bytes])).toEqual(whole);
  expect(read([...bytes].map((byte) => Buffer.from([byte])))).toEqual(whole);
});

it('what is no JSON, or has no end, is passed over', () => {
  expect(read(['data: {\n\nx\n\ndata: 1\ndata: 2\n\nevent: only\n\ndata: 4\n\ndata: 5\n'])).toEqual(
    [4],
  );
});

it('a record that is too long is left out, in one line or in many, and those after it are read', () => {
  const long = `data: "${'x'.repeat(100)}"\n\n`;
  const many = `${'data: "12345678",\n'.repeat(20)}\n`;
  expect(read([long, 'data: 1\n\n', many, 'data: 2\n\n'], 64)).toEqual([1, 2]);
  expect(read([...(long + many)].concat('data: 3\n\n'), 64)).toEqual([3]);
});
