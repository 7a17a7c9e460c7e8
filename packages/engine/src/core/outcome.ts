import type { AbandonCategory, JsonValue, Reply } from '@atelier/envelope';
import type { Closure } from './closure.ts';
import type { AttemptOfRun } from './event.ts';
import { compareIds } from './id-order.ts';
import { authorOf, type RunState, type TaskState } from './state.ts';
import { type TaskId, workerOf } from './task.ts';

/** What became of one task of the run. Minted here from facts; nothing in a worker's reply can choose the `kind`. */
export type Outcome = {
  readonly taskId: TaskId;
  readonly parallelGroup: number;
  readonly worker: string | null;
  /** Dispatches charged, earlier runs included. */
  readonly attempts: number;
} & (
  | {
      readonly kind: 'done';
      readonly reply: Reply;
      readonly evidence?: JsonValue;
      /** Merged work of an earlier run that stood for it; nothing was dispatched. */
      readonly replayedFrom?: AttemptOfRun;
    }
  | {
      readonly kind: 'worker-abandon';
      readonly reply: Reply;
      readonly category: AbandonCategory;
      readonly reason: string;
    }
  | {
      readonly kind: 'engine-abandon';
      /** `blocked`: an upstream was lost. `capacity`: the attempts are spent. */
      readonly category: 'blocked' | 'capacity';
      readonly upstreamId: TaskId | null;
      readonly lastStatus: string;
    }
  | {
      readonly kind: 'held';
      readonly reply: Reply;
      readonly status: 'blocked' | 'needs-input';
    }
  /** The last attempt of a task that a parked or interrupted run left with attempts to spare. */
  | { readonly kind: 'failed-attempt'; readonly closure: Closure }
  /** Not ended in a parked or interrupted run; `accepted` work only waits for its integration. */
  | { readonly kind: 'pending'; readonly accepted: boolean }
);

/** The outcomes of all live tasks, in `(parallel_group, id)` order. */
export function outcomesOf(state: RunState): Outcome[] {
  const rows = state.waves.flatMap(({ keys }) =>
    keys
      .flatMap((key) => state.tasks.get(key) ?? [])
      .map((own) => ({ own, group: (authorOf(state, own) ?? own).task.parallel_group ?? 0 })),
  );
  return rows
    .sort((a, b) => a.group - b.group || compareIds(a.own.task.id, b.own.task.id))
    .map(({ own, group }) => outcomeOf(own, group));
}

function outcomeOf(state: TaskState, parallelGroup: number): Outcome {
  const { task, attempts, closure } = state;
  const head = { taskId: task.id, parallelGroup, worker: workerOf(task), attempts };
  const pending = { kind: 'pending', accepted: state.phase === 'accepted', ...head } as const;
  switch (state.phase) {
    case 'complete': {
      if (!state.reply) return pending;
      const evidence = state.evidence === undefined ? {} : { evidence: state.evidence };
      const { replayedFrom } = state;
      const source = replayedFrom === undefined ? {} : { replayedFrom };
      return { kind: 'done', reply: state.reply, ...head, ...evidence, ...source };
    }
    case 'abandoned': {
      if (state.abandonment?.by === 'worker' && closure?.kind === 'abandoned') {
        const { reply, category, reason } = closure;
        return { kind: 'worker-abandon', reply, category, reason, ...head };
      }
      return {
        kind: 'engine-abandon',
        category: state.abandonment?.category === 'blocked' ? 'blocked' : 'capacity',
        upstreamId: state.abandonment?.upstreamId ?? null,
        lastStatus: state.abandonment?.lastStatus ?? '',
        ...head,
      };
    }
    case 'held':
      return closure?.kind === 'held'
        ? { kind: 'held', reply: closure.reply, status: closure.status, ...head }
        : pending;
    case 'pending':
      return closure ? { kind: 'failed-attempt', closure, ...head } : pending;
    case 'accepted':
    case 'reviewing':
    case 'running':
      return pending;
  }
}
