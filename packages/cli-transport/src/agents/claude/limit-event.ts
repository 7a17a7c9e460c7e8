import { objectTexts } from '../../json-lines.ts';
import { lineReader } from '../marked-lines.ts';

const EVENT = 'rate_limit_event';

/** Undefined for an event that tells of no refusal; in epoch milliseconds as far as it says. */
export function limitEnd(event: Readonly<Record<string, unknown>>): LimitEnd | undefined {
  const info = event['rate_limit_info'];
  if (typeof info !== 'object' || info === null) return undefined;
  if (Reflect.get(info, 'status') !== 'rejected') return undefined;
  const seconds: unknown = Reflect.get(info, 'resetsAt');
  const known = typeof seconds === 'number' && Number.isSafeInteger(seconds * 1000) && seconds > 0;
  return known ? { resumeAt: seconds * 1000 } : {};
}

interface LimitEnd {
  readonly resumeAt?: number;
}

/**
 * When the limit ends that the program has told of in an event of its own; to the second, where its message is rounded
 * down to the minute. The program prints such events for an account's plan only, not for a key.
 */
export function toldLimitEnd(stdout: string): LimitEnd {
  let last: LimitEnd = {};
  const read = lineReader();
  for (const line of objectTexts(stdout, `"${EVENT}"`)) {
    const event = read(line);
    if (event?.['type'] === EVENT) last = limitEnd(event) ?? last;
  }
  return last;
}
