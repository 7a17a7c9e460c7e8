import { sweep } from '@atelier/cli-transport';
import { onInterrupt } from '../compose/interrupts.ts';
import type { Streams } from '../streams.ts';

/** How somebody ends attempts that only look, before their time. */
export interface Interrupts {
  readonly signal: AbortSignal;
  /** Told where the processes of the next attempt will be, for whoever has to end them at once. */
  readonly onFolder: (workers: string) => void;
}

/** Listens by itself, where nothing else of the host does: the first interrupt ends `who`, the second one the host too. */
export function ownInterrupts(
  who: string,
  { stderr }: Pick<Streams, 'stderr'>,
): Interrupts & { readonly close: () => void } {
  const stop = new AbortController();
  let folder: string | undefined;
  const close = onInterrupt({
    onFirst: () => {
      stderr.write(`stopping: ${who} is ended\n`);
      stop.abort();
    },
    onSecond: () => {
      const ended = folder === undefined ? [] : [sweep(folder, { graceMs: 0 })];
      void Promise.allSettled(ended).finally(() => process.exit(5));
    },
  });
  return {
    close,
    signal: stop.signal,
    onFolder: (workers) => {
      folder = workers;
    },
  };
}
