import type { IncomingHttpHeaders } from 'node:http';

/** Nearly any text is a date of some year to `Date.parse`. */
const DATE = /^[A-Z][a-z]{2,8}, /u;

const LONGEST_MS = 35 * 24 * 3_600_000;

/**
 * How long the API asks to wait, in milliseconds; undefined when it does not say. A used-up subscription names the moment
 * of its reset beside `retry-after`, which is what remains where that is missing.
 */
export function retryAfterMs(headers: IncomingHttpHeaders, wallMs: number): number | undefined {
  const [exact, after] = [one(headers, 'retry-after-ms'), one(headers, 'retry-after')];
  if (exact !== undefined && Number.isFinite(Number(exact))) return bounded(Number(exact));
  if (after !== undefined && /^\d+(?:\.\d+)?$/u.test(after)) return bounded(Number(after) * 1000);
  if (after !== undefined)
    return DATE.test(after) ? bounded(Date.parse(after) - wallMs) : undefined;
  if (one(headers, 'anthropic-ratelimit-unified-status') !== 'rejected') return undefined;
  const reset = one(headers, 'anthropic-ratelimit-unified-reset');
  return reset === undefined ? undefined : bounded(Number(reset) * 1000 - wallMs);
}

/** One value that says something. */
function one(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' ? undefined : text;
}

const bounded = (ms: number): number | undefined =>
  Number.isNaN(ms) ? undefined : Math.min(Math.max(0, ms), LONGEST_MS);
