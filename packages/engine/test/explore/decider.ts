import { decide } from '../../src/core/decide.ts';
import { evolve } from '../../src/core/evolve.ts';

/** What is walked through. */
export interface Decider {
  readonly decide: typeof decide;
  readonly evolve: typeof evolve;
}

export const OURS: Decider = { decide, evolve };
