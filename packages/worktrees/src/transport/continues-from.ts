import type { Closure } from '@atelier/engine';

/** Ends that found fault with work that is worth going on from. */
const CORRECTABLE: ReadonlySet<string> = new Set(['review', 'verify', 'wave-gate']);

/** Whether the attempt after one that ended like this starts from its work, where that still merges. */
export const continuesFrom = (previous: Closure | undefined): boolean =>
  previous?.kind === 'failed' && CORRECTABLE.has(previous.cause);
