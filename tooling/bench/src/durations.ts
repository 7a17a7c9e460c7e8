import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Size } from './row.ts';

/** Seconds that the tasks take: 60 of them, 0.1 to 1 each. A small bench has the first few, ten times as fast. */
export function durations(size: Size): number[] {
  const all = readFileSync(join(import.meta.dirname, '../data/mixed-durations.txt'), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(Number);
  return size === 'full' ? all : all.slice(0, 2).map((seconds) => Math.round(seconds * 100) / 1000);
}
