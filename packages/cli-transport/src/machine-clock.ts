import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type { Clock } from '@atelier/engine';

/** The machine's clock. Sleeps here are ticks and graces; longer ones belong to the engine. */
export const machineClock: Clock = Object.freeze<Clock>({
  now: () => performance.now(),
  wall: () => Date.now(),
  sleep: (ms, signal) =>
    setTimeout(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined),
});

/** Monotonic milliseconds since boot: the same for every process of this boot. */
export const sinceBootMs = (): number => Number(process.hrtime.bigint() / 1_000_000n);

/** Names this boot of the machine; undefined where it can not be told, and nothing may be adopted. */
export function bootId(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}
