import { expect, it } from 'vitest';
import { retryAfterMs } from './retry-after.ts';

const NOW = Date.UTC(2026, 10, 30);

it.each([
  [{}, undefined],
  [{ 'retry-after': '2' }, 2_000],
  [{ 'retry-after': '0.5' }, 500],
  [{ 'retry-after': '9', 'retry-after-ms': '70' }, 70],
  [{ 'retry-after': 'Mon, 30 Nov 2026 00:01:00 GMT' }, 60_000],
  [{ 'retry-after': 'Mon, 30 Nov 2020 00:01:00 GMT' }, 0],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': '' }, undefined],
  [{ 'retry-after': '-5' }, undefined],
  [{ 'retry-after': '9'.repeat(300) }, 35 * 24 * 3_600_000],
  [{ 'anthropic-ratelimit-unified-reset': String(NOW / 1000 + 60) }, undefined],
  [
    {
      'anthropic-ratelimit-unified-status': 'rejected',
      'anthropic-ratelimit-unified-reset': String(NOW / 1000 + 60),
    },
    60_000,
  ],
])('%j', (headers, expected) => {
  expect(retryAfterMs(headers, NOW)).toBe(expected);
});
