import type { ClosureToken } from '@atelier/envelope';
import { abandon } from './abandon.ts';
import { defers } from './causes.ts';
import { closureStatus } from './closure.ts';
import { EngineError } from './error.ts';
import type { RunFact, Verdict } from './event.ts';
import { unreviewed } from './review.ts';
import {
  acceptedWork,
  authorOf,
  doomedOf,
  headOf,
  type OpenWave,
  type RunState,
  reviewersOf,
  type TaskPhase,
  type TaskState,
} from './state.ts';
import { waveGateSatisfied } from './wave-gate.ts';

/**
 * The bookkeeping that needs nobody's leave, one step at a time: open a wave, cascade, abandon a spent
 * budget, integrate, close the wave, finish. Empty when the run waits for the world.
 */
export function advance(state: RunState): RunFact[] {
  if (state.verdict) return [];
  const { wave } = state;
  if (!wave) return betweenWaves(state);
  const doomed = doomedOf(state);
  if (doomed) return cascade(state, doomed);
  const head = headOf(state);
  const spent = head && spentOf(state, head);
  if (spent && !(state.paused && defers(spent.closure))) return spend(state, spent);
  if (wave.outstanding.size === 0) return closeWave(state, wave);
  if (integrationDue(state, wave)) return startIntegration(state, wave);
  if (state.paused && wave.running.size === 0 && !wave.integrating)
    return [{ type: 'run.finished', verdict: state.paused.kind }];
  if (wave.running.size === 0 && wave.accepted.size === 0 && !head)
    throw faultOf(`wave ${wave.index} has open tasks and none that can start`);
  return [];
}

/** The task that the next charge would go to; undefined while the run may not take one. */
export function runnable(state: RunState): TaskState | undefined {
  const { wave, policy, paused, verdict } = state;
  if (!wave || paused || verdict || doomedOf(state)) return undefined;
  if (wave.order ? integrationDue(state, wave) : wave.integrating) return undefined;
  if (wave.running.size >= policy.maxWorkers) return undefined;
  const head = headOf(state);
  return head && !spentOf(state, head) ? head : undefined;
}

function betweenWaves(state: RunState): RunFact[] {
  const next = state.waves[state.nextWave];
  if (!next) return [{ type: 'run.finished', verdict: finalVerdict(state) }];
  if (state.paused) return [{ type: 'run.finished', verdict: state.paused.kind }];
  return [{ type: 'wave.opened', wave: state.nextWave, group: next.group, size: next.keys.length }];
}

function cascade(state: RunState, task: TaskState): RunFact[] {
  const upstream = state.lostUpstream.get(task.key) ?? '';
  const upstreamId = state.tasks.get(upstream)?.task.id ?? upstream;
  return abandon(state, task, {
    by: 'engine',
    category: 'blocked',
    lastStatus: 'cascade',
    attempt: task.attempts,
    upstreamId,
  });
}

/** Whose budget is gone: the task's own, or that of the reviewer without whom its work can not count. */
function spentOf(state: RunState, head: TaskState): TaskState | undefined {
  const isSpent = ({ attempts }: TaskState) => attempts >= state.policy.maxAttempts;
  return isSpent(head) ? head : reviewersOf(state, head).find(isSpent);
}

/** A row whose budget was spent before this run, or under caps that were higher. */
function spend(state: RunState, task: TaskState): RunFact[] {
  const lastStatus = task.closure
    ? closureStatus(task.closure)
    : `attempt budget already spent: ${task.attempts} of ${state.policy.maxAttempts}`;
  const facts = abandon(state, task, {
    by: 'engine',
    category: 'capacity',
    lastStatus,
    attempt: task.attempts,
  });
  const author = authorOf(state, task);
  const waits = author?.phase === 'reviewing' || author?.phase === 'pending';
  return waits ? [...facts, ...unreviewed(state, author, task, lastStatus)] : facts;
}

/** Everything live is accepted, and nothing can change that but integration itself. Without a barrier, any work is due. */
function integrationDue(state: RunState, wave: OpenWave): boolean {
  const isAtTheBarrier = wave.running.size === 0 && !headOf(state);
  return (
    wave.accepted.size > 0 &&
    !wave.integrating &&
    (wave.order ? acceptedWork(state).length > 0 : isAtTheBarrier) &&
    !wave.integrationFailed &&
    // A run that is parked for want of budget still merges what is paid for.
    state.paused?.kind !== 'interrupted'
  );
}

function startIntegration(state: RunState, wave: OpenWave): RunFact[] {
  const accepted = acceptedWork(state);
  const taskIds = (wave.order ? accepted.slice(0, 1) : accepted).map(({ task }) => task.id);
  return [{ type: 'integration.started', wave: wave.index, taskIds }];
}

function closeWave(state: RunState, wave: OpenWave): RunFact[] {
  const reports = new Map<string, string>();
  for (const key of wave.keys) {
    const token = reportOf(state.tasks.get(key)?.phase);
    if (token) reports.set(key, token);
  }
  if (!waveGateSatisfied({ wave_id: `wave-${wave.index}`, expected: wave.keys, reports }))
    throw faultOf(`wave ${wave.index} would close before all its tasks have ended`);
  return [{ type: 'wave.closed', wave: wave.index, group: wave.group }];
}

const faultOf = (what: string): EngineError =>
  new EngineError(
    'BARRIER',
    what,
    'This is a fault of the engine; please report it with the journal.',
  );

/** The closure token that a phase counts as at the barrier; a task is held only under a policy that closes it. */
const reportOf = (phase: TaskPhase | undefined): ClosureToken | undefined => {
  if (phase === 'complete') return 'done';
  return phase === 'abandoned' || phase === 'held' ? 'abandoned' : undefined;
};

function finalVerdict(state: RunState): Verdict {
  for (const { keys } of state.waves)
    for (const key of keys) if (state.tasks.get(key)?.phase !== 'complete') return 'abandoned';
  return 'complete';
}
