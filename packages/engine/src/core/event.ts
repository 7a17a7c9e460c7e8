import type { JsonValue, Reply } from '@atelier/envelope';
import type { Closure, Usage } from './closure.ts';
import type { Escalation } from './escalation.ts';
import type { Policy } from './policy.ts';
import type { Task, TaskId } from './task.ts';

/** How a run ended. `parked` and `interrupted` runs can be resumed. */
export type Verdict = 'complete' | 'abandoned' | 'parked' | 'interrupted';

/** Why a run takes no further task for now. */
export interface Parking {
  readonly cause:
    | 'usage-limit'
    | 'account'
    | 'budget'
    | 'breaker'
    /** The word of an operator: the only one that is not escalated. */
    | 'gate'
    /** The gate threw, hung or gave no answer. */
    | 'gate-failed'
    /** A disk is full. */
    | 'no-room'
    | 'integration';
  readonly detail: string;
  /** Epoch milliseconds after which it may go on. */
  readonly resumeAt?: number;
}

/** On which terms an attempt is charged: recorded with the charge, and handed to the transport. No rule reads it. */
export interface AttemptTerms {
  /** The model that is to do it. */
  readonly model?: string;
  /** What it is expected to spend. */
  readonly estimate?: Usage;
}

/** Foreign text that addresses the host. It changes nothing; the excerpt is escaped. */
export interface Notice {
  /** Where it was read, for example `description` or `notes_md`. */
  readonly field: string;
  readonly excerpt: string;
}

/** One attempt, of whichever run. */
export interface AttemptOfRun {
  readonly runId: string;
  readonly attempt: number;
}

/**
 * A past-tense fact. The one union is the journal's record, the reducer's input, the progress feed and
 * the audit trail; it grows by new members and by optional keys only.
 */
export type RunFact =
  | {
      readonly type: 'run.started';
      readonly tasks: readonly Task[];
      readonly policy: Policy;
      /** What the host wants remembered of how it runs: nothing here is read by a rule. */
      readonly about?: JsonValue;
    }
  | { readonly type: 'run.resumed'; readonly policy: Policy; readonly about?: JsonValue }
  /** A resumed run goes on with a changed plan: what has ended stays ended, the rest is planned anew. */
  | { readonly type: 'plan.taken'; readonly tasks: readonly Task[] }
  | {
      readonly type: 'wave.opened';
      readonly wave: number;
      readonly group: number;
      readonly size: number;
    }
  /** The charge. Durable before anything is spawned. */
  | {
      readonly type: 'attempt.started';
      readonly taskId: TaskId;
      readonly attempt: number;
      readonly nonce: string;
      /** Of a reviewer: the attempt whose work it looks at. */
      readonly reviews?: { readonly taskId: TaskId; readonly attempt: number };
      /** Everything that the result depends on, as one text. */
      readonly contentKey?: string;
      readonly terms?: AttemptTerms;
    }
  /** For whoever audits: text that a worker reads or wrote asks for what only the host decides. */
  | ({
      readonly type: 'audit.noted';
      readonly kind: 'untrusted_instruction';
      readonly taskId: TaskId;
      readonly attempt: number;
      readonly source: 'task' | 'reply';
    } & Notice)
  /** The worker runs. What its transport tells of it is for people. */
  | {
      readonly type: 'attempt.spawned';
      readonly taskId: TaskId;
      readonly attempt: number;
      readonly worker?: JsonValue;
    }
  /** A valid `done` whose checks begin. Its worker is gone, and a later host goes on without it. */
  | {
      readonly type: 'attempt.replied';
      readonly taskId: TaskId;
      readonly attempt: number;
      readonly reply: Reply;
      readonly usage?: Usage;
    }
  /** A stage of the checks of a `done` is behind it and is not repeated. */
  | {
      readonly type: 'attempt.checked';
      readonly taskId: TaskId;
      readonly attempt: number;
      readonly stage: string;
      readonly evidence?: JsonValue;
    }
  /** Every check of a `done` holds, and its reviewers are due. The slot is free; the task holds the barrier. */
  | {
      readonly type: 'review.requested';
      readonly taskId: TaskId;
      readonly attempt: number;
      readonly reply: Reply;
      readonly reviewers: readonly TaskId[];
      readonly usage?: Usage;
      readonly evidence?: JsonValue;
    }
  /** A checked `done`. The slot is free; the task still holds the barrier. */
  | {
      readonly type: 'attempt.accepted';
      readonly taskId: TaskId;
      readonly attempt: number;
      readonly reply: Reply;
      readonly usage?: Usage;
      readonly evidence?: JsonValue;
    }
  /** Any other end of an attempt. */
  | {
      readonly type: 'attempt.closed';
      readonly taskId: TaskId;
      readonly attempt: number;
      readonly closure: Closure;
      readonly usage?: Usage;
    }
  | {
      readonly type: 'integration.started';
      readonly wave: number;
      readonly taskIds: readonly TaskId[];
    }
  /** A step of bringing the wave together need not be taken again: the gate passed on these very files. */
  | {
      readonly type: 'integration.checked';
      readonly wave: number;
      readonly stage: string;
      readonly evidence?: JsonValue;
    }
  | { readonly type: 'integration.failed'; readonly wave: number; readonly detail: string }
  | {
      readonly type: 'task.completed';
      readonly taskId: TaskId;
      readonly attempt: number;
      readonly evidence?: JsonValue;
    }
  /** Merged work of an earlier attempt, by its content key, is what this task would do: nothing is charged. */
  | {
      readonly type: 'task.replayed';
      readonly taskId: TaskId;
      readonly from: AttemptOfRun;
      readonly reply: Reply;
      readonly evidence?: JsonValue;
    }
  | {
      readonly type: 'task.abandoned';
      readonly taskId: TaskId;
      readonly attempt: number;
      readonly by: 'worker' | 'engine';
      readonly category: string;
      readonly lastStatus: string;
      readonly upstreamId: TaskId | null;
    }
  | {
      readonly type: 'task.held';
      readonly taskId: TaskId;
      readonly attempt: number;
      readonly status: 'blocked' | 'needs-input';
    }
  /** Always in the batch of the `task.abandoned`, `task.held` or `run.parked` it belongs to. */
  | { readonly type: 'escalation.raised'; readonly key: string; readonly escalation: Escalation }
  | { readonly type: 'escalation.delivered'; readonly key: string }
  | { readonly type: 'wave.closed'; readonly wave: number; readonly group: number }
  | ({ readonly type: 'run.parked' } & Parking)
  | { readonly type: 'run.interrupted'; readonly reason: string }
  | { readonly type: 'run.finished'; readonly verdict: Verdict };

/** A fact with its place: gapless `seq` from 1 within the run, `at` in UTC for display only. */
export type RunEvent = RunFact & {
  readonly runId: string;
  readonly seq: number;
  readonly at: string;
};
