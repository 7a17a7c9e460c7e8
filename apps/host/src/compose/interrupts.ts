/** Within this time a second interrupt means: at once. */
const IMPATIENCE_MS = 2_000;

interface Interrupts {
  /** End the workers, keep what they did. */
  readonly onFirst: () => void;
  /** Leave now. */
  readonly onSecond: () => void;
}

/** Listens to Ctrl-C and to being told to end. Gives the function that stops listening. */
export function onInterrupt({ onFirst, onSecond }: Interrupts): () => void {
  let last = Number.NEGATIVE_INFINITY;
  let isLeaving = false;
  const heard = () => {
    const now = performance.now();
    // Once is enough: a second way out could be through before the first has ended everything.
    if (isLeaving) return;
    if (now - last < IMPATIENCE_MS) {
      isLeaving = true;
      onSecond();
    } else onFirst();
    last = now;
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, heard);
  return () => {
    for (const signal of signals) process.off(signal, heard);
  };
}
