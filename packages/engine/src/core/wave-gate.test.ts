import { CLOSURE_TOKENS } from '@atelier/envelope';
import { describe, expect, it } from 'vitest';
import { waveCanAdvance } from '../index.ts';
import { type WaveTracker, waveGateSatisfied } from './wave-gate.ts';

const tracker = (...statuses: (string | undefined)[]): WaveTracker => ({
  wave_id: 'wave-0',
  expected: statuses.map((_, i) => `t${i}`),
  reports: new Map(statuses.flatMap((status, i) => (status ? [[`t${i}`, status] as const] : []))),
});

describe('the barrier is released by terminal-only closure', () => {
  it('opens when every task is done or abandoned', () => {
    expect(waveGateSatisfied(tracker('done', 'abandoned', 'done'))).toBe(true);
    expect(waveGateSatisfied(tracker())).toBe(true);
  });

  it.each(['blocked', 'needs-input', 'complete', 'failed', ''])('%s holds it', (status) => {
    expect(waveGateSatisfied(tracker('done', status))).toBe(false);
  });

  it('a task that has not reported holds it', () => {
    expect(waveGateSatisfied(tracker('done', undefined))).toBe(false);
  });

  it('never accepts any status: only two of the four closure tokens pass', () => {
    const passing = CLOSURE_TOKENS.filter((token) => waveGateSatisfied(tracker(token)));
    expect(passing).toEqual(['done', 'abandoned']);
  });

  it('does not look at acknowledgements', () => {
    const acknowledged = { ...tracker('abandoned'), abandoned_ack_at: null };
    expect(waveGateSatisfied(acknowledged)).toBe(true);
    const poisoned = Object.defineProperty({ ...tracker('abandoned') }, 'abandoned_ack_at', {
      get: () => {
        throw new Error('read');
      },
    });
    expect(waveGateSatisfied(poisoned)).toBe(true);
  });

  it('has one predicate under two names', () => {
    expect(waveCanAdvance).toBe(waveGateSatisfied);
  });
});
