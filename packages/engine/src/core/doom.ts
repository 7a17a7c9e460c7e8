import type { RunState } from './state.ts';

/** What has to be known of a run, or of a plan that is none yet. */
type Doomable = Pick<RunState, 'dependents' | 'pairing' | 'lostUpstream' | 'wave'>;

/**
 * Marks everything downstream, through rows that are already complete. Each task is marked once in a run. Who
 * lost its reviewer is lost with it: nobody else can approve the work.
 */
export function doomDependents(state: Doomable, lost: string): void {
  const open = [lost];
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    for (const dependent of state.dependents.get(key) ?? []) {
      mark(state, dependent, lost, open);
      const author = state.pairing.authors.get(dependent);
      if (author !== undefined && author !== lost) mark(state, author, lost, open);
    }
  }
}

function mark(state: Doomable, key: string, lost: string, open: string[]): void {
  if (state.lostUpstream.has(key)) return;
  state.lostUpstream.set(key, lost);
  if (state.wave?.outstanding.has(key)) state.wave.doomed.push(key);
  open.push(key);
}
