import type { JsonValue, Reply } from '@atelier/envelope';
import type { Streak } from './breaker.ts';
import type { Closure, Usage } from './closure.ts';
import type { Escalation } from './escalation.ts';
import type { AttemptOfRun, AttemptTerms, Parking, Verdict } from './event.ts';
import { isFree, type Precedence } from './order/precedence.ts';
import { NO_PAIRS, type Pairing } from './pairing.ts';
import type { Policy } from './policy.ts';
import type { Task, TaskId } from './task.ts';

/** Where a task stands. `accepted` is not terminal: the work is checked but not yet integrated. */
export type TaskPhase =
  | 'pending'
  | 'running'
  /** Checked; its reviewers are at work. */
  | 'reviewing'
  | 'accepted'
  | 'complete'
  | 'abandoned'
  | 'held';

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
  /** On which it was charged. */
  terms?: AttemptTerms;
  /** How the last attempt that did not count ended. */
  closure?: Closure;
  /** The stages of its checks that are behind the last attempt. */
  checks?: Map<string, JsonValue | undefined>;
  /** What the running attempt has replied: it is at its checks, and its worker is gone. */
  replied?: { readonly reply: Reply; readonly usage?: Usage };
  /** Set with the phase `complete` of a task that was not dispatched. */
  replayedFrom?: AttemptOfRun;
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

/** The wave that is open; under `pipeline` all tasks are one. Every collection is ordered by arrival and changes in O(1). */
export interface OpenWave {
  readonly index: number;
  readonly group: number;
  readonly keys: readonly string[];
  /** Under `pipeline`: who waits for whom within the wave. */
  readonly order?: Precedence;
  /** First in, first out; entries that are not due are skipped at the head. */
  readonly queue: string[];
  head: number;
  /** Tasks that lost an upstream and are to be abandoned before anything else happens. */
  readonly doomed: string[];
  doomedHead: number;
  readonly running: Set<string>;
  readonly reviewing: Set<string>;
  readonly accepted: Set<string>;
  readonly terminal: Set<string>;
  readonly outstanding: Set<string>;
  readonly artifacts: string[];
  /** Whose work is being brought together and has no verdict yet. */
  integrating?: Set<string>;
  /** It is not tried again before somebody resumes the run. */
  integrationFailed: boolean;
  /** The steps of the integration that need not be taken again. */
  readonly checks: Map<string, JsonValue | undefined>;
}

/**
 * A run as the fold of its events. {@link evolve} changes it in place and is its only writer, so that
 * folding a run is linear in its events; whoever keeps an old state must fold again.
 */
export interface RunState {
  runId: string;
  policy: Policy;
  readonly tasks: Map<string, TaskState>;
  /** What a changed plan has left out, in case the next one has it again. */
  readonly dropped: Map<string, TaskState>;
  /** Keys by wave, in dispatch order. */
  waves: readonly { readonly group: number; readonly keys: readonly string[] }[];
  pairing: Pairing;
  /** Who depends on whom: the edges reversed. */
  readonly dependents: Map<string, string[]>;
  /** The first lost upstream of every task that has one. */
  readonly lostUpstream: Map<string, string>;
  nextWave: number;
  wave?: OpenWave;
  paused?:
    | { readonly kind: 'parked'; readonly parking: Parking }
    | { readonly kind: 'interrupted' };
  /** The failures of one kind that came last. */
  streak?: Streak | undefined;
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
    dropped: new Map(),
    waves: [],
    pairing: NO_PAIRS,
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

/** The author that a task reviews, in whichever phase; undefined for a task that is no paired reviewer. */
export function authorOf(state: RunState, { key }: TaskState): TaskState | undefined {
  const author = state.pairing.authors.get(key);
  return author === undefined ? undefined : state.tasks.get(author);
}

/** The paired reviewers of a task, in the order in which they review. */
export const reviewersOf = (state: RunState, { key }: TaskState): TaskState[] =>
  (state.pairing.reviewers.get(key) ?? []).flatMap((reviewer) => state.tasks.get(reviewer) ?? []);

/** The author whose work a reviewer is to look at now. */
export function underReview(state: RunState, reviewer: TaskState): TaskState | undefined {
  const author = authorOf(state, reviewer);
  return author?.phase === 'reviewing' ? author : undefined;
}

/** Whether a task may be dispatched: not before those it waits for, and a reviewer only when it is its turn, or when its author has gone ahead. */
export function isDue(state: RunState, task: TaskState): boolean {
  if (task.phase !== 'pending') return false;
  const order = state.wave?.order;
  if (order && !isFree(order, task.key)) return false;
  const author = authorOf(state, task);
  if (!author || author.phase === 'complete') return true;
  const next = reviewersOf(state, author).find(({ phase }) => phase !== 'accepted');
  return author.phase === 'reviewing' && next === task;
}

/** Accepted work that is to be integrated. An approval is none: it goes with the work it approves. */
export const acceptedWork = (state: RunState): TaskState[] =>
  workOf(state, state.wave?.accepted ?? []);

/** The work that is being brought together and has no verdict yet. */
export const workUnderIntegration = (state: RunState): TaskState[] =>
  workOf(state, state.wave?.integrating ?? []);

const workOf = (state: RunState, keys: Iterable<string>): TaskState[] =>
  [...keys]
    .flatMap((key) => state.tasks.get(key) ?? [])
    .filter((task) => (authorOf(state, task)?.phase ?? 'complete') === 'complete');
