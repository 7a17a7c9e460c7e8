import { acceptedWork } from '../../src/core/state.ts';
import type { RunState, TaskState } from '../../src/index.ts';
import { closureOf, replyOf } from './endings.ts';
import type { Move } from './move.ts';

/** Inputs that come too late, too early, or from nowhere. */
export function* staleMoves(state: RunState): Generator<Move> {
  for (const task of state.tasks.values()) {
    const { attempts, phase } = task;
    for (const attempt of [attempts - 1, attempts + 1]) yield* ofAttempt(task.key, attempt);
    if (phase !== 'running') yield* ofAttempt(task.key, attempts);
    if (phase !== 'pending') yield dispatchOf(task);
  }
  yield* ofAttempt('nobody', 1);
  yield stale({ kind: 'dispatch', taskId: 'nobody', nonce: '' }, 'dispatch nobody');
  yield stale({ kind: 'delivered', key: 'nothing' }, 'delivered nothing');
  if (state.wave?.integrating) return;
  yield stale({ kind: 'integration-failed', detail: 'late' }, 'integration failed late');
  for (const { key: taskId } of acceptedWork(state)) {
    const merged = [{ kind: 'merged', taskId }] as const;
    yield stale({ kind: 'integrated', results: merged }, `integrated late: ${taskId}`);
  }
  const wave = state.wave?.index ?? 0;
  yield stale({ kind: 'integration-checked', wave, stage: 'gate' }, 'integration checked late');
}

const dispatchOf = ({ key: taskId }: TaskState): Move =>
  stale({ kind: 'dispatch', taskId, nonce: '' }, `dispatch ${taskId}`);

const remembered = new Map<string, readonly Move[]>();

function ofAttempt(taskId: string, attempt: number): readonly Move[] {
  const key = `${taskId}#${attempt}`;
  const known = remembered.get(key);
  if (known) return known;
  const of = { taskId, attempt };
  const closures = (['done', 'lost', 'abandoned'] as const).map((one) =>
    closureOf(one, taskId, attempt),
  );
  const moves = [
    ...closures.map((closure) =>
      stale({ kind: 'ended', ...of, closure, final: true }, `${key} ended ${closure.kind}`),
    ),
    stale({ kind: 'spawned', ...of }, `${key} spawned`),
    stale({ kind: 'replied', ...of, reply: replyOf(taskId, attempt, 'done') }, `${key} replied`),
    stale({ kind: 'checked', ...of, stage: 'late' }, `${key} checked`),
  ];
  remembered.set(key, moves);
  return moves;
}

const stale = (does: Exclude<Move['does'], string>, what: string): Move => ({
  label: `stale: ${what}`,
  does,
  stale: true,
});
