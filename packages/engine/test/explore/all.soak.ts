import { describe, expect, it } from 'vitest';
import { explore } from './explore.ts';
import { ALL } from './plans.ts';

describe('every interleaving of every small plan', () => {
  it.each(ALL.map((plan) => [plan.name, plan] as const))(
    '%s: keeps every rule and comes to an end',
    (_, plan) => {
      const { fault, states, transitions, stale } = explore(plan);
      console.log(
        `${plan.name}: ${states} states, ${transitions} transitions, ${stale} stale inputs`,
      );
      expect(fault).toBeUndefined();
    },
  );
});
