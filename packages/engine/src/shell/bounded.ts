import type { Clock } from './clock.ts';

/** How a bounded wait ended. */
export type Bounded<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'error'; readonly error: unknown }
  | { readonly kind: 'timeout' };

/** Calls a seam and waits for it, but not for ever: a seam that throws or hangs becomes a value. */
export async function bounded<T>(
  clock: Clock,
  ms: number,
  call: () => T | Promise<T>,
): Promise<Bounded<T>> {
  let answer: Promise<Bounded<T>>;
  try {
    const called = call();
    if (!isThenable(called)) return { kind: 'value', value: called };
    answer = Promise.resolve(called).then(
      (value) => ({ kind: 'value', value }),
      (error: unknown) => ({ kind: 'error', error }),
    );
  } catch (error) {
    return { kind: 'error', error };
  }
  const timer = new AbortController();
  const late = clock.sleep(ms, timer.signal).then((): Bounded<T> => ({ kind: 'timeout' }));
  const first = await Promise.race([answer, late]);
  timer.abort();
  return first;
}

const isThenable = <T>(value: T | Promise<T>): value is Promise<T> =>
  typeof (value as { then?: unknown } | null | undefined)?.then === 'function';

/** What an unknown thrown value says, on one line. */
export const messageOf = (error: unknown): string => {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return 'an error that can not be shown';
  }
};
