import { expect, it } from 'vitest';
import { gathered } from './gathered.ts';
import { sseRecords } from './sse-records.ts';

it('puts pieces together up to its bound, and keeps nothing of what is longer until it is cleared', () => {
  const kept = gathered(5);
  expect(kept.add(Buffer.from('ab'))).toBe(true);
  expect(kept.add(Buffer.from('cde'))).toBe(true);
  expect(kept.bytes().toString()).toBe('abcde');
  expect(kept.add(Buffer.from('f'))).toBe(false);
  expect(kept.add(Buffer.from(''))).toBe(false);
  expect(kept.size()).toBe(0);
  kept.clear();
  kept.add(Buffer.from('x'));
  expect(kept.bytes().toString()).toBe('x');
});

it('a million tiny pieces take no more room than their bytes', () => {
  const kept = gathered(2_000_000);
  const piece = Buffer.from('x');
  const before = process.memoryUsage();
  for (let count = 0; count < 1_000_000; count += 1) kept.add(piece);
  const after = process.memoryUsage();
  expect(kept.size()).toBe(1_000_000);
  expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(16_000_000);
});

it('a stream of nothing but lines takes no more room than its bytes', () => {
  const told: unknown[] = [];
  const { read } = sseRecords((record) => told.push(record));
  const before = process.memoryUsage();
  read(Buffer.from('\n'.repeat(1_000_000)));
  read(Buffer.from('data:\n'.repeat(1_000_000)));
  const after = process.memoryUsage();
  expect(after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers).toBeLessThan(
    150_000_000,
  );
  read(Buffer.from('\ndata: 1\n\n'));
  expect(told).toEqual([1]);
});
