import type { GitPlace } from './git.ts';
import { type Dialogue, type KeepLimits, type KeptGit, startKept } from './kept-git.ts';

/** Most answers take a millisecond; who waits longer than that asks a git of its own. */
export const KEEP_LIMITS: KeepLimits = { idleMs: 5_000, answerMs: 10_000 };

/** One question after the other to a git that is kept for them, or to the next one. */
export interface Asking<Q, A> {
  /** Rejects where no answer came; whoever asks then asks a git of its own, which also says what is wrong. */
  ask(question: Q): Promise<A>;
  /** Ends the git that is kept, if there is one. The next question starts another. */
  rest(): void;
}

export function keepAsking<Q, A>(
  place: GitPlace,
  dialogue: Dialogue<Q, A>,
  limits: KeepLimits = KEEP_LIMITS,
): Asking<Q, A> {
  let kept: KeptGit<Q, A> | undefined;
  return {
    async ask(question) {
      if (!kept?.isOpen()) kept = startKept(place, dialogue, limits);
      return kept.ask(question);
    },
    rest: () => kept?.end(),
  };
}
