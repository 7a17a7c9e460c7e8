import type { Clock } from './clock.ts';
import { OVER } from './over.ts';

/** How a bounded wait ended. */
export type Bounded<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'error'; readonly error: unknown }
  | { readonly kind: 'timeout' }
  /** Nobody waits for the answer any more. */
  | { readonly kind: 'cut' };

/**
 * Calls a seam and waits for it, but not for ever, and not when `cut` aborts: a seam that throws or hangs
 * becomes a value.
 */
export async function bounded<T>(
  clock: Clock,
  ms: number,
  call: () => T | Promise<T>,
  cut?: AbortSignal,
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
  const over = () => timer.abort(OVER);
  cut?.addEventListener('abort', over, { once: true });
  if (cut?.aborted) over();
  const late = clock
    .sleep(ms, timer.signal)
    .then((): Bounded<T> => ({ kind: cut?.aborted ? 'cut' : 'timeout' }));
  const first = await Promise.race([answer, late]);
  timer.abort(OVER);
  cut?.removeEventListener('abort', over);
  return first;
}

/** Why there is no value, on one line. */
export function whyNot(failure: Exclude<Bounded<never>, { kind: 'value' }>): string {
  if (failure.kind === 'error') return messageOf(failure.error);
  return failure.kind === 'cut' ? 'the run was told to stop' : 'no answer';
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
