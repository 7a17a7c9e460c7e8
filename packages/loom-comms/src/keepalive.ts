import type { LoomClock } from './clock.ts';

/** Calls again and again, until the signal aborts or a call says that it is enough. It keeps no process alive. */
export async function keepalive(options: {
  readonly clock: LoomClock;
  readonly everyMs: number;
  readonly signal: AbortSignal;
  readonly beat: () => Promise<'on' | 'enough'>;
}): Promise<void> {
  const { clock, everyMs, signal, beat } = options;
  while (!signal.aborted) {
    await clock.idle(everyMs, signal);
    if (signal.aborted || (await beat()) === 'enough') return;
  }
}
