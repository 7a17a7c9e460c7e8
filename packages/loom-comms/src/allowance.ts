import type { LoomClock } from './clock.ts';

/** The time that one piece of work has for all its calls, and the signal that ends it early. */
export interface Allowance {
  leftMs(): number;
  readonly signal: AbortSignal;
}

export function allowance(clock: LoomClock, ms: number, signal: AbortSignal): Allowance {
  const until = clock.now() + ms;
  return { leftMs: () => until - clock.now(), signal };
}
