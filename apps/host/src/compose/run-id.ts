import { randomBytes } from 'node:crypto';

/** A name for a new run that sorts by time and does not repeat. */
export function newRunId(now: Date = new Date()): string {
  const stamp = now.toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-');
  return `${stamp}-${randomBytes(3).toString('hex')}`;
}
