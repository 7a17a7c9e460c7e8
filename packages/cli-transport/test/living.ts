import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

/** Every process, wherever it has forked to, that was called with `marker` in its arguments and lives. */
export const livingWith = (marker: string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && readOr(`/proc/${pid}/cmdline`).includes(marker));

/** Waits for what is bound to come; the test's own timeout is the bound. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await setTimeout(10);
}

export const textOf = (path: string): string => readOr(path);

function readOr(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
