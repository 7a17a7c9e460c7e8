import { describe, expect, test } from 'vitest';
import { orderOfRun, type RunSteps } from './order-of-run.ts';

const ORDER = [
  ...['gate', 'load', 'register', 'kickoff', 'meeting', 'dispatch', 'tell', 'teardown', 'advance'],
] as const;

type Step = (typeof ORDER)[number];

/** Notes each step, and throws in one of them. */
function noted(failing?: Step) {
  const seen: string[] = [];
  const step =
    (name: Step) =>
    async (...given: readonly unknown[]): Promise<string> => {
      seen.push(given.length === 0 ? name : `${name}(${given.join(', ')})`);
      if (name === failing) throw new Error(name);
      return `of ${name}`;
    };
  const steps = Object.fromEntries(ORDER.map((name) => [name, step(name)]));
  return { seen, steps: steps as unknown as RunSteps<string, string, string> };
}

test('hard rule: the meeting is over the wire, before the one await and not out of it: a run goes gate, load, registry, kickoff, meeting, one await, report, teardown, phase', async () => {
  const { seen, steps } = noted();
  expect(await orderOfRun(steps)).toBe('of dispatch');
  expect(seen).toEqual([
    'gate',
    'load',
    'register(of load)',
    'kickoff(of register)',
    'meeting(of register)',
    'dispatch(of register)',
    'tell(of dispatch, of register)',
    'teardown',
    'advance(of dispatch)',
  ]);
});

describe('hard rule: teardown is guaranteed: a step that throws', () => {
  test.each(['gate', 'load', 'register'] as const)(
    '%s: nothing was begun, nothing follows',
    async (at) => {
      const { seen, steps } = noted(at);
      await expect(orderOfRun(steps)).rejects.toThrow(at);
      expect(seen.map((step) => step.replace(/\(.*/u, ''))).toEqual(
        ORDER.slice(0, ORDER.indexOf(at) + 1),
      );
    },
  );

  test.each(['kickoff', 'meeting', 'dispatch', 'tell'] as const)(
    '%s: the chat is ended all the same, and the phase stays',
    async (at) => {
      const { seen, steps } = noted(at);
      await expect(orderOfRun(steps)).rejects.toThrow(at);
      expect(seen.map((step) => step.replace(/\(.*/u, ''))).toEqual([
        ...ORDER.slice(0, ORDER.indexOf(at) + 1),
        'teardown',
      ]);
    },
  );
});
