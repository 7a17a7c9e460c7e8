import type { Policy, RunFact } from '../../src/index.ts';
import type { Outline } from './outline.ts';
import type { SmallPlan } from './small-plan.ts';
import type { Witness } from './witness.ts';

/** What a rule judges a fact by. */
export interface Scene {
  readonly plan: Omit<SmallPlan, 'policy'> & { readonly policy: Policy };
  readonly outline: Outline;
  /** All that was seen before the fact. */
  readonly witness: Witness;
  /** The facts that were decided together with it. */
  readonly batch: readonly RunFact[];
  /** What the integration that has just ended says it merged; undefined outside of one. */
  readonly merged: ReadonlySet<string> | undefined;
}

/** Says what is wrong with a fact, if anything. */
export type Rule = (fact: RunFact, scene: Scene) => Generator<string>;
