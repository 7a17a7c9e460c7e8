import { describe, expect, it } from 'vitest';
import { checkPolicy, DEFAULTS, type Policy } from './policy.ts';

describe('DEFAULTS', () => {
  it('are five workers, five attempts, thirty minutes and a scan every 0.2 s, frozen', () => {
    expect(DEFAULTS).toEqual({
      maxWorkers: 5,
      maxAttempts: 5,
      wallClockMs: 1_800_000,
      pollIntervalMs: 200,
    });
    expect(Object.isFrozen(DEFAULTS)).toBe(true);
  });
});

describe('checkPolicy', () => {
  it('fills in the defaults and freezes', () => {
    const policy = checkPolicy({ maxWorkers: 2 });
    expect(policy).toEqual({
      maxWorkers: 2,
      maxAttempts: 5,
      wallClockMs: 1_800_000,
      onHeld: 'retry',
      raiseCaps: false,
    });
    expect(Object.isFrozen(policy)).toBe(true);
  });

  const refused: [Partial<Policy>, RegExp][] = [
    [{ maxWorkers: 0 }, /maxWorkers/],
    [{ maxWorkers: 1.5 }, /maxWorkers/],
    [{ maxAttempts: 6 }, /maxAttempts 6 is above 5/],
    [{ maxAttempts: -1 }, /maxAttempts/],
    [{ wallClockMs: 999 }, /wallClockMs/],
    [{ wallClockMs: 1_800_001 }, /wallClockMs 1800001 is above/],
    [{ stallMs: 0 }, /stallMs/],
    [{ onHeld: 'never' as 'retry' }, /onHeld/],
    [{ schedule: 'eager' as 'pipeline' }, /schedule must be parallel or pipeline, got eager/],
  ];
  it.each(refused)('refuses %j and names it', (given, message) => {
    expect(() => checkPolicy(given)).toThrow(
      expect.objectContaining({ code: 'INVALID_POLICY', message: expect.stringMatching(message) }),
    );
  });

  it('names all faults at once', () => {
    expect(() => checkPolicy({ maxWorkers: 0, maxAttempts: 9 })).toThrow(/maxWorkers.*maxAttempts/);
  });

  it('raises caps only when that is stated', () => {
    const raised = checkPolicy({ maxAttempts: 9, wallClockMs: 7_200_000, raiseCaps: true });
    expect(raised).toMatchObject({ maxAttempts: 9, wallClockMs: 7_200_000, raiseCaps: true });
  });
});
