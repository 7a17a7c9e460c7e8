import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { budgetPool } from './pool.ts';

/** What an attempt is thought to use, and what it uses between two notes, one after the other, if it is let. */
interface Worker {
  readonly estimate: number;
  readonly uses: readonly number[];
}

interface Outcome {
  readonly passed: number;
  /** By attempt: how much longer than the step its last one was, where it was cut. */
  readonly surprises: readonly number[];
}

/** All start at once and go on in an order of chance until they are through or cut. */
function race(workers: readonly Worker[], total: number, step: number): Outcome {
  const pool = budgetPool({ outputTokens: total, headroom: 1, step: { outputTokens: step } });
  const surprises: number[] = [];
  let spent = 0;
  const running = workers.flatMap(({ estimate, uses }, index) => {
    const key = `${index}`;
    if (pool.shortage({ outputTokens: estimate })) return [];
    pool.reserve(key, { outputTokens: estimate });
    return [{ key, uses: [...uses], used: 0 }];
  });
  for (let turn = 0; running.length > 0; turn += 1) {
    const at = (turn * 31) % running.length;
    const [worker] = running.slice(at);
    if (!worker) break;
    const next = worker.uses.shift() ?? 0;
    spent += next;
    worker.used += next;
    const answer = pool.note(worker.key, { outputTokens: worker.used });
    if (answer === 'within' && worker.uses.length > 0) continue;
    if (answer === 'over') surprises.push(Math.max(0, next - step));
    pool.settle(worker.key, { outputTokens: worker.used });
    running.splice(at, 1);
  }
  return { passed: Math.max(0, spent - total), surprises };
}

const STEP = 50;
const fifty = (longest: number) =>
  fc.array(
    fc.record({
      estimate: fc.integer({ min: 1, max: 500 }),
      uses: fc.array(fc.integer({ min: 1, max: longest }), { minLength: 1, maxLength: 20 }),
    }),
    { minLength: 50, maxLength: 50 },
  );
const totals = fc.integer({ min: 100, max: 20_000 });

describe('fifty concurrent starts', () => {
  it('that are noted every step and cut pass no ceiling', () => {
    fc.assert(
      fc.property(fifty(STEP), totals, (workers, total) => {
        expect(race(workers, total, STEP).passed).toBe(0);
      }),
      { numRuns: 60 },
    );
  });

  it('one of which tells its use only at the end pass it by no more than its error', () => {
    const sudden = fc.integer({ min: 1, max: 100_000 });
    fc.assert(
      fc.property(fifty(STEP), totals, sudden, fc.nat({ max: 49 }), (workers, total, all, who) => {
        const uneven = workers.map((worker, at) =>
          at === who ? { ...worker, uses: [all] } : worker,
        );
        const error = Math.max(0, all - (workers[who]?.estimate ?? 0));
        expect(race(uneven, total, STEP).passed).toBeLessThanOrEqual(error);
      }),
      { numRuns: 60 },
    );
  });

  it('pass it, whatever they do, by no more than what the last steps of those who were cut were too long', () => {
    fc.assert(
      fc.property(fifty(2_000), totals, fc.nat({ max: 100 }), (workers, total, step) => {
        const { passed, surprises } = race(workers, total, step);
        expect(passed).toBeLessThanOrEqual(surprises.reduce((sum, one) => sum + one, 0));
      }),
      { numRuns: 60 },
    );
  });

  it('whose requests are noted before they are sent pass no ceiling of money, whatever a request costs', () => {
    const requests = fc.array(
      fc.record({
        estimate: fc.integer({ min: 1, max: 500 }),
        uses: fc.array(fc.integer({ min: 1, max: 4_000 }), { minLength: 1, maxLength: 10 }),
      }),
      { minLength: 50, maxLength: 50 },
    );
    let cut = 0;
    fc.assert(
      fc.property(requests, totals, (workers, cents) => {
        const pool = budgetPool({ costUsd: cents / 100, headroom: 1, step: { costUsd: 0.01 } });
        let sent = 0;
        const running = workers.flatMap(({ estimate, uses }, index) => {
          const worker = { key: `${index}`, uses: [...uses], used: 0 };
          if (pool.shortage({ costUsd: estimate / 100 })) return [];
          pool.reserve(worker.key, { costUsd: estimate / 100 });
          return [worker];
        });
        while (running.length > 0) {
          for (const worker of [...running]) {
            const next = worker.uses.shift();
            const answer =
              next === undefined
                ? 'through'
                : pool.note(worker.key, { costUsd: (worker.used + next) / 100 });
            if (next !== undefined && answer === 'within') {
              worker.used += next;
              sent += next;
              continue;
            }
            if (answer === 'over') cut += 1;
            pool.settle(worker.key, { costUsd: worker.used / 100 });
            running.splice(running.indexOf(worker), 1);
          }
        }
        expect(sent).toBeLessThanOrEqual(cents);
      }),
      { numRuns: 60 },
    );
    expect(cut).toBeGreaterThan(100);
  });

  it('with an error of one each pass it by fifty when no step is kept back, and not at all when one is', () => {
    const workers = Array.from({ length: 50 }, () => ({ estimate: 10, uses: [10, 1] }));
    expect(race(workers, 500, 0).passed).toBe(50);
    expect(race(workers, 500, 1).passed).toBe(0);
  });
});
