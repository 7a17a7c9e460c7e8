import type { RunEvent } from './event.ts';
import { evolve } from './evolve.ts';
import { checkPolicy } from './policy.ts';
import { emptyState, type RunState } from './state.ts';

/** The state that a run's events amount to. Linear in the events; the state belongs to the caller. */
export function foldRun(events: Iterable<RunEvent>): RunState {
  const state = emptyState(checkPolicy());
  for (const event of events) evolve(state, event);
  return state;
}
