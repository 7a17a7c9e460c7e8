import { describe, expect, it } from 'vitest';
import { HOLD_MS, nextStep, type RetryPlace, type Tried } from './next-step.ts';

const HOUR = 3_600_000;
const place = (more: Partial<RetryPlace> = {}): RetryPlace => ({
  ...{ retries: 0, isRenewed: false, leftMs: HOUR, heldMs: 0, random: () => 0 },
  ...more,
});

const CASES: readonly (readonly [string, Tried, Partial<RetryPlace>, object])[] = [
  ['good', { status: 200 }, {}, { kind: 'pass-on', isFinal: false }],
  ['a fault of the request', { status: 400 }, {}, { kind: 'pass-on', isFinal: false }],
  ['not allowed', { status: 403 }, {}, { kind: 'pass-on', isFinal: false }],
  ['no answer', { status: undefined }, {}, { kind: 'wait', ms: 250 }],
  ['overload', { status: 529 }, { retries: 2 }, { kind: 'wait', ms: 1000 }],
  ['overload, once more', { status: 529 }, { retries: 3 }, { kind: 'pass-on', isFinal: true }],
  ['its own wish', { status: 503, retryAfterMs: 9000 }, {}, { kind: 'wait', ms: 9000 }],
  ['a wish too far', { status: 503, retryAfterMs: HOUR }, {}, { kind: 'pass-on', isFinal: true }],
  ['of no use', { status: 500, isFinal: true }, {}, { kind: 'pass-on', isFinal: true }],
  ['no time', { status: 500 }, { leftMs: 250 }, { kind: 'pass-on', isFinal: true }],
  ['held for long', { status: 500 }, { heldMs: HOLD_MS }, { kind: 'pass-on', isFinal: true }],
  ['429 without a wish', { status: 429 }, {}, { kind: 'wait', ms: 250 }],
  ['429, short', { status: 429, retryAfterMs: 1000 }, {}, { kind: 'wait', ms: 1000 }],
  [
    '429, short, again',
    { status: 429, retryAfterMs: 1 },
    { retries: 3 },
    { kind: 'pass-on', isFinal: true },
  ],
  [
    '429 up to the deadline',
    { status: 429, retryAfterMs: HOUR },
    {},
    { kind: 'limit', resumeAfterMs: HOUR, isFinal: true },
  ],
  [
    '429 that is long to hold',
    { status: 429, retryAfterMs: HOLD_MS + 1 },
    {},
    { kind: 'limit', resumeAfterMs: HOLD_MS + 1, isFinal: false },
  ],
  ['401', { status: 401 }, {}, { kind: 'renew', pauseMs: 500 }],
  ['401 again', { status: 401 }, { isRenewed: true }, { kind: 'refused' }],
  ['401 at the end', { status: 401 }, { leftMs: 100 }, { kind: 'refused' }],
];

describe('decision 15', () => {
  it.each(CASES)('%s', (_, tried, at, expected) => {
    expect(nextStep(tried, place(at))).toEqual(expected);
  });

  it('waits are spread, and never shorter than asked', () => {
    const waits = [0, 0.5, 0.999].map((share) =>
      nextStep({ status: 429, retryAfterMs: 2000 }, place({ random: () => share })),
    );
    expect(waits).toEqual([2000, 2250, 2499.5].map((ms) => ({ kind: 'wait', ms })));
  });
});
