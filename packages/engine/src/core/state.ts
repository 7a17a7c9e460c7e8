import type { JsonValue, Reply } from '@atelier/envelope';
import type { Closure } from './closure.ts';
import type { Escalation } from './escalation.ts';
import type { Parking, Verdict } from './event.ts';
import type { Policy } from './policy.ts';
import type { Task, TaskId } from './task.ts';

/** Where a task stands. `accepted` is not terminal: the work is checked but not yet integrated. */
export type TaskPhase = 'pending' | 'running' | 'accepted' | 'complete' | 'abandoned' | 'held';

/** One task of a run. */
export interface TaskState {
  readonly task: Task;
  readonly key: string;
  /** The tasks it directly depends on, by whatever kind of edge. */
  readonly upstreams: readonly string[];
  phase: TaskPhase;
  /** Dispatches charged, earlier runs included. */
  attempts: number;
  /** The one-time text that the running attempt was given. */
  nonce?: string;
  /** How the last attempt that did not count ended. */
  closure?: Closure;
  reply?: Reply;
  evidence?: JsonValue;
  /** Set with the phase `abandoned`. */
  abandonment?: {
    readonly by: 'worker' | 'engine';
    readonly category: string;
    readonly lastStatus: string;
    readonly upstreamId: TaskId | null;
  };
}

/** The wave that is open. Every collection is ordered by arrival and changes in O(1). */
export interface OpenWave {
  readonly index: number;
  readonly group: number;
  readonly keys: readonly string[];
  /** First in, first out; entries that are no longer pending are skipped at the head. */
  readonly queue: string[];
  head: number;
  /** Tasks that lost an upstream and are to be abandoned before anything else happens. */
  readonly doomed: string[];
  doomedHead: number;
  readonly running: Set<string>;
  readonly accepted: Set<string>;
  readonly terminal: Set<string>;
  readonly outstanding: Set<string>;
  readonly artifacts: string[];
  integrating: boolean;
}

/**
 * A run as the fold of its events. {@link evolve} changes it in place and is its only writer, so that
 * folding a run is linear in its events; whoever keeps an old state must fold again.
 */
export interface RunState {
  runId: string;
  policy: Policy;
  readonly tasks: Map<string, TaskState>;
  /** Keys by wave, in dispatch order. */
  waves: readonly { readonly group: number; readonly keys: readonly string[] }[];
  /** Who depends on whom: the edges reversed. */
  readonly dependents: Map<string, string[]>;
  /** The first lost upstream of every task that has one. */
  readonly lostUpstream: Map<string, string>;
  nextWave: number;
  wave?: OpenWave;
  paused?:
    | { readonly kind: 'parked'; readonly parking: Parking }
    | { readonly kind: 'interrupted' };
  dispatches: number;
  /** Live tasks times attempts: what `dispatches` can never pass. */
  dispatchBound: number;
  readonly escalations: Escalation[];
  readonly undelivered: Map<string, Escalation>;
  verdict?: Verdict;
  /** The `seq` of the last event folded in. */
  seq: number;
}

/** The state before the first event. */
export function emptyState(policy: Policy): RunState {
  return {
    runId: '',
    policy,
    tasks: new Map(),
    waves: [],
    dependents: new Map(),
    lostUpstream: new Map(),
    nextWave: 0,
    dispatches: 0,
    dispatchBound: 0,
    escalations: [],
    undelivered: new Map(),
    seq: 0,
  };
}

/** The task an event or an input names. Throws when the run has none: a journal of another plan. */
export function taskOf(state: RunState, id: TaskId): TaskState {
  const found = state.tasks.get(String(id));
  if (!found) throw new Error(`run ${state.runId} has no task ${String(id)}`);
  return found;
}

/** The pending task at the head of the open wave's queue. */
export function headOf(state: RunState): TaskState | undefined {
  const key = state.wave?.queue[state.wave.head];
  return key === undefined ? undefined : state.tasks.get(key);
}

/** The next task of the open wave that has lost an upstream. */
export function doomedOf(state: RunState): TaskState | undefined {
  const key = state.wave?.doomed[state.wave.doomedHead];
  return key === undefined ? undefined : state.tasks.get(key);
}
