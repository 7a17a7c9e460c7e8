import type { RunEvent } from '../core/event.ts';
import { evolve } from '../core/evolve.ts';
import { checkPolicy } from '../core/policy.ts';
import { emptyState, type RunState } from '../core/state.ts';
import { heldWork, type Wait } from './held-work.ts';
import { type PlanInForce, planInForce } from './plan-in-force.ts';
import { workingTime } from './working-time.ts';

/** What waiting for whole waves has cost a run. Milliseconds by the times of its events, which are for display only. */
export interface BarrierCost {
  /** From the first event to the last, without the time in which nobody drove the run. */
  readonly runMs: number;
  /** Checked work that waited for its wave before it was integrated: all waits together. */
  readonly heldMs: number;
  /** How many waits that were. */
  readonly held: number;
  readonly longest?: Wait;
  /** How many tasks could have started a second or more before their wave was opened, each by itself. */
  readonly movable: number;
  /** The 20 of them that waited longest, that first. */
  readonly moves: readonly Wait[];
}

const LISTED = 20;

/**
 * Reads from the events of a run what its barriers have cost; undefined for a run without any. A task could have
 * moved when all that it depends on or is not proved independent of could have ended sooner, had each integration
 * begun with the acceptance and taken as long as it did, and when a worker had nothing to do. Linear in the events,
 * but for sorting.
 */
export function barrierCost(events: Iterable<RunEvent>): BarrierCost | undefined {
  const state = emptyState(checkPolicy());
  const time = workingTime();
  const held = heldWork();
  let moves: Wait[] = [];
  let plan: PlanInForce | undefined;
  let barriers = 0;
  let runMs = 0;
  // Spreading 100,000 arguments would overflow the stack.
  const close = () => {
    moves = moves.concat(plan?.headStarts() ?? []);
  };
  for (const event of events) {
    const now = time.at(event);
    runMs = now;
    const wasBusy = isBusy(state);
    evolve(state, event);
    if (event.type === 'run.started' || event.type === 'plan.taken') {
      close();
      plan = state.policy.schedule === 'pipeline' ? undefined : planInForce(state);
    }
    if (event.type === 'wave.opened' && !state.wave?.order) barriers += 1;
    if (state.wave?.order) continue;
    held.event(event, now);
    plan?.event(event, now, held.waited);
    if (wasBusy && !isBusy(state)) plan?.idle(now);
  }
  if (barriers === 0) return undefined;
  close();
  moves.sort((a, b) => b.ms - a.ms);
  const longest = held.longest();
  return {
    runMs,
    heldMs: held.totalMs(),
    held: held.count(),
    ...(longest ? { longest } : {}),
    movable: moves.length,
    moves: moves.slice(0, LISTED),
  };
}

const isBusy = ({ wave, policy }: RunState): boolean =>
  wave !== undefined && wave.running.size >= policy.maxWorkers;
