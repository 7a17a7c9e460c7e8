import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { eventData } from './event-stream.ts';

async function* parts(...texts: string[]) {
  for (const text of texts) yield new TextEncoder().encode(text);
}
const all = async (...texts: string[]) => {
  const found: string[] = [];
  for await (const data of eventData(parts(...texts))) found.push(data);
  return found;
};

it('reads events however the bytes are cut, and whatever breaks their lines', async () => {
  expect(await all('event: message\nda', 'ta: {"a"', ':1}\n', '\n')).toEqual(['{"a":1}']);
  expect(await all('data: 1\r', '\n\r\ndata: 2\r\n\r\n')).toEqual(['1', '2']);
  expect(await all(': note\nid: 3\ndata: a\ndata:b\n\n')).toEqual(['a\nb']);
});

it('reads a long line in many small parts without looking at it again for each', {
  timeout: 10_000,
}, async () => {
  const piece = new TextEncoder().encode('xyz');
  async function* body() {
    yield* parts('data: ');
    for (let pieces = 0; pieces < 100_000; pieces++) {
      // Lets the end of the test's patience come.
      if (pieces % 1_000 === 0) await setImmediate();
      yield piece;
    }
    yield* parts('\r', '\n', '\r', '\n');
  }
  for await (const line of eventData(body())) expect(line).toHaveLength(300_000);
  expect.assertions(1);
});

it('gives nothing of an event that was not finished', async () => {
  expect(await all('data: 1\n')).toEqual([]);
});

it('ends where there is too much', async () => {
  expect(await all('data: 1\n\n', 'x'.repeat(3 * 1024 * 1024), 'data: 2\n\n')).toEqual(['1']);
});
