import type { RunState } from './state.ts';

/** Marks everything downstream, through rows that are already complete. Each task is marked once in a run. */
export function doomDependents(state: RunState, lost: string): void {
  const open = [lost];
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    for (const dependent of state.dependents.get(key) ?? []) {
      if (state.lostUpstream.has(dependent)) continue;
      state.lostUpstream.set(dependent, lost);
      if (state.wave?.outstanding.has(dependent)) state.wave.doomed.push(dependent);
      open.push(dependent);
    }
  }
}
