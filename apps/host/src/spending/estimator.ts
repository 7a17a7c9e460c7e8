import { estimateOf, type Sample, type Spent } from '@atelier/budget';

/** Older ones say less, and no estimate may cost more the longer a run is. */
const KEPT = 50;

/** Expects of attempts what their like have used lately. */
export interface Estimator {
  estimate(kind: string, model: string | undefined): Spent;
  learn(kind: string, spent: Spent): void;
}

export function estimator(): Estimator {
  const lately = new Map<string, Sample[]>();
  const known = new Map<string, Spent>();
  return {
    estimate(kind, model) {
      const estimate = known.get(kind) ?? estimateOf(model, kind, lately.get(kind));
      known.set(kind, estimate);
      return estimate;
    },
    learn(kind, spent) {
      const samples = [...(lately.get(kind) ?? []), { kind, spent }];
      lately.set(kind, samples.slice(-KEPT));
      known.delete(kind);
    },
  };
}
