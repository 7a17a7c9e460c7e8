import type { JsonValue, Reply } from '@atelier/envelope';
import type { Closure, FailCause, Usage } from './closure.ts';
import type { AttemptOfRun, AttemptTerms, Notice, Parking } from './event.ts';
import type { Policy } from './policy.ts';
import type { Task, TaskId } from './task.ts';

/** What integration made of one accepted task. */
export type Integration =
  | { readonly kind: 'merged'; readonly taskId: TaskId; readonly evidence?: JsonValue }
  | {
      readonly kind: 'refused';
      readonly taskId: TaskId;
      readonly cause: FailCause;
      readonly detail: string;
      /** What the next attempt should know beyond that. Foreign text. */
      readonly findings?: string;
    };

/** Merged work that may stand for a task, with the approvals it was merged under. */
export interface Replayable {
  readonly from: AttemptOfRun;
  readonly reply: Reply;
  readonly evidence?: JsonValue;
  readonly approvals: readonly {
    readonly taskId: TaskId;
    readonly from: AttemptOfRun;
    readonly reply: Reply;
  }[];
}

/** Something that happened, or a permission that was given. */
export type RunInput =
  | {
      readonly kind: 'start';
      readonly tasks: readonly Task[];
      readonly policy: Policy;
      readonly about?: JsonValue;
    }
  | { readonly kind: 'resume'; readonly policy: Policy; readonly about?: JsonValue }
  | { readonly kind: 'take-plan'; readonly tasks: readonly Task[] }
  /** Nothing from outside: is there bookkeeping to do? */
  | { readonly kind: 'advance' }
  /** The gate agreed to one more attempt. */
  | {
      readonly kind: 'dispatch';
      readonly taskId: TaskId;
      readonly nonce: string;
      readonly contentKey?: string;
      readonly terms?: AttemptTerms;
      /** What was noticed in the text of the task. */
      readonly notices?: readonly Notice[];
    }
  /** Merged work of an earlier run is what this task would do. */
  | ({ readonly kind: 'replay'; readonly taskId: TaskId } & Replayable)
  | {
      readonly kind: 'spawned';
      readonly taskId: TaskId;
      readonly attempt: number;
      readonly worker?: JsonValue;
    }
  /** A worker is gone and has left a `done`, whose checks begin. */
  | {
      readonly kind: 'replied';
      readonly taskId: TaskId;
      readonly attempt: number;
      readonly reply: Reply;
      readonly usage?: Usage;
    }
  /** A stage of an attempt's checks is passed. */
  | {
      readonly kind: 'checked';
      readonly taskId: TaskId;
      readonly attempt: number;
      readonly stage: string;
      readonly evidence?: JsonValue;
    }
  | {
      readonly kind: 'ended';
      readonly taskId: TaskId;
      readonly attempt: number;
      readonly closure: Closure;
      readonly usage?: Usage;
      readonly evidence?: JsonValue;
      /** What was noticed in the reply. */
      readonly notices?: readonly Notice[];
      /** False when accepted work waits for an integration. */
      readonly final: boolean;
    }
  | { readonly kind: 'integrated'; readonly results: readonly Integration[] }
  /** A step of the open wave's integration need not be taken again. */
  | {
      readonly kind: 'integration-checked';
      readonly wave: number;
      readonly stage: string;
      readonly evidence?: JsonValue;
    }
  | { readonly kind: 'integration-failed'; readonly detail: string }
  | { readonly kind: 'delivered'; readonly key: string }
  /** The gate said no, at this task. */
  | { readonly kind: 'park'; readonly taskId: TaskId; readonly parking: Parking }
  | { readonly kind: 'interrupt'; readonly reason: string };
