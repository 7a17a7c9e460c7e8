import { runnable } from '../../src/core/advance.ts';
import { reviewersOf, underReview, workUnderIntegration } from '../../src/core/state.ts';
import type { FailCause, RunState, TaskId, TaskState } from '../../src/index.ts';
import type { Decider } from './decider.ts';
import { closureOf, type EndingName, replyOf } from './endings.ts';
import { frozen } from './frozen.ts';
import { CRASH, type Move } from './move.ts';
import type { SmallPlan } from './small-plan.ts';
import { staleMoves } from './stale-moves.ts';

const BOOKKEEPING: Move = { label: 'bookkeeping', does: 'bookkeeping' };
const INTERRUPT: Move = frozen({
  ...{ label: 'interrupt', unsure: true },
  does: { kind: 'interrupt', reason: 'told' },
});
const INTEGRATION_FAILED: Move = frozen({
  label: 'integration failed',
  does: { kind: 'integration-failed', detail: 'no disk' },
});
const parkAt = (taskId: TaskId): Move => ({
  ...{ label: 'the gate parks', unsure: true },
  does: { kind: 'park', taskId, parking: { cause: 'budget', detail: 'it is spent' } },
});

type Alphabet = Pick<SmallPlan, 'also' | 'endings' | 'integrates'>;

/**
 * Everything that the shell can hand to the decider in a state, stale inputs included. Bookkeeping is a move of its
 * own: the shell takes several inputs between two rounds of it.
 */
export function* movesOf(state: RunState, plan: Alphabet, { decide }: Decider): Generator<Move> {
  yield* staleMoves(state);
  const { also } = plan;
  if (also.has('deliveries'))
    for (const key of state.undelivered.keys())
      yield { label: `delivered ${key}`, does: { kind: 'delivered', key }, unsure: true };
  const { verdict, wave } = state;
  if (verdict !== 'complete' && verdict !== 'abandoned') yield CRASH;
  if (verdict) return;
  if (decide(state, { kind: 'advance' }).length > 0) yield BOOKKEEPING;
  if (also.has('interrupts')) yield INTERRUPT;
  for (const key of wave?.running ?? []) {
    const task = state.tasks.get(key);
    if (task) yield* attemptMoves(state, task, plan);
  }
  const next = runnable(state);
  if (next) yield* admissionMoves(state, next, plan);
  if (!wave?.integrating) return;
  yield* verdictMoves(state);
  yield INTEGRATION_FAILED;
  if (also.has('steps')) {
    const step = { kind: 'integration-checked', wave: wave.index, stage: 'gate' } as const;
    yield { label: 'integration checked', does: step };
  }
}

/** What is left for an attempt that has replied: its checks hold, or they do not. */
const AFTER_REPLY: readonly EndingName[] = ['done', 'false-done'];

function* attemptMoves(state: RunState, task: TaskState, plan: Alphabet): Generator<Move> {
  const { key: taskId, attempts: attempt, replied } = task;
  const of = { taskId, attempt };
  for (const ending of replied ? AFTER_REPLY : plan.endings) {
    const closure = frozen(closureOf(ending, taskId, attempt));
    const does = { kind: 'ended', ...of, closure, final: !plan.integrates } as const;
    yield { label: `${taskId}#${attempt} ${ending}`, does };
  }
  if (!plan.also.has('steps')) return;
  yield { label: `${taskId}#${attempt} spawned`, does: { kind: 'spawned', ...of } };
  if (replied) {
    yield {
      label: `${taskId}#${attempt} checked`,
      does: { kind: 'checked', ...of, stage: 'verify' },
    };
  } else if (!underReview(state, task)) {
    const reply = frozen(replyOf(taskId, attempt, 'done'));
    yield { label: `${taskId}#${attempt} replied`, does: { kind: 'replied', ...of, reply } };
  }
}

/** The gate lets a task through, or parks the run; or earlier work stands for the task. */
function* admissionMoves(state: RunState, task: TaskState, { also }: Alphabet): Generator<Move> {
  const { key: taskId, attempts } = task;
  const nonce = `${taskId}#${attempts + 1}`;
  yield { label: `dispatch ${nonce}`, does: { kind: 'dispatch', taskId, nonce } };
  if (also.has('parks')) yield parkAt(task.task.id);
  if (!also.has('replays') || attempts > 0) return;
  const from = { runId: 'earlier', attempt: 1 };
  const approvals = reviewersOf(state, task).map(({ key }) => ({
    ...{ taskId: key, from },
    reply: replyOf(key, 1, 'done'),
  }));
  const replay = { kind: 'replay', taskId, from, reply: replyOf(taskId, 1, 'done') } as const;
  yield { label: `replay ${taskId}`, does: frozen({ ...replay, approvals }) };
  if (approvals.length > 0)
    yield { label: `replay ${taskId} less an approval`, does: { ...replay, approvals: [] } };
}

/** Every combination of merged and refused, and an integration that has no verdict on anything. */
function* verdictMoves(state: RunState): Generator<Move> {
  const works = workUnderIntegration(state).map(({ key }) => key);
  const cause: FailCause = 'conflict';
  for (let merged = 0; merged < 2 ** works.length; merged += 1) {
    const results = works.map((taskId, at) =>
      (merged >> at) % 2 === 1
        ? ({ kind: 'merged', taskId } as const)
        : ({ kind: 'refused', taskId, cause, detail: 'the same line' } as const),
    );
    const label = results.map(({ kind, taskId }) => `${taskId} ${kind}`).join(', ');
    yield { label: `integrated: ${label}`, does: frozen({ kind: 'integrated', results }) };
  }
  yield { label: 'integrated: nothing said', does: { kind: 'integrated', results: [] } };
}
