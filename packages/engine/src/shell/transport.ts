import type { JsonValue, Reply } from '@atelier/envelope';
import type { Closure, FailCause, Usage } from '../core/closure.ts';
import type { AttemptTerms } from '../core/event.ts';
import type { Task } from '../core/task.ts';

/** One attempt, charged and ready to start. */
export interface WorkOrder {
  readonly runId: string;
  readonly task: Task;
  readonly attempt: number;
  /** A one-time text that ties a reply to this attempt where the backend can carry it. */
  readonly nonce: string;
  readonly briefing: string;
  /** What is left of the attempt's wall clock when it is handed over, in milliseconds. */
  readonly wallClockMs: number;
  /** On which terms it was charged. */
  readonly terms?: AttemptTerms;
  /** How the task's attempt before this one ended, if there was one in this run. */
  readonly previous?: Closure;
  /** What this attempt is to review: it reads that work, and may not write. */
  readonly review?: ReviewedWork;
  /** The folder the worker works in; set by whoever made one for this attempt. */
  readonly workspace?: string;
  /** The worker may only read its workspace. */
  readonly readOnly?: boolean;
  /** Files and folders inside the workspace that the worker may only read. Absolute paths. */
  readonly frozen?: readonly string[];
}

/** Work that holds but for its review. */
export interface ReviewedWork {
  readonly task: Task;
  readonly attempt: number;
  readonly reply: Reply;
  readonly evidence?: JsonValue;
}

/** How a worker ended. A transport recognises a reply; it never judges one, so `reply` is untrusted. */
export type AttemptReport =
  | { readonly kind: 'replied'; readonly reply: unknown; readonly usage?: Usage }
  | {
      readonly kind: 'failed';
      readonly cause: FailCause;
      readonly detail: string;
      readonly exitCode?: number;
      readonly reply?: unknown;
      readonly usage?: Usage;
      /** Epoch milliseconds after which the world's failure may be over. */
      readonly resumeAt?: number;
    };

/** A worker that runs. */
export interface AttemptHandle {
  /** Settles once, when the worker has ended; never rejects. */
  readonly report: Promise<AttemptReport>;
  /** Reads the reply without consuming it; `undefined` or `null` when there is none yet. */
  peek(): Promise<unknown>;
  /** Ends the worker and all its children. Idempotent; resolves when they are gone. */
  stop(reason: string): Promise<void>;
  /** The monotonic time of the last sign of life; needed for `policy.stallMs`. */
  activity?(): number;
  /** Of an adopted worker: how much of its wall clock is left, in milliseconds. Absent: a whole one. */
  readonly wallClockLeftMs?: number;
  /** What the journal is to remember of the worker, for people: its process, its job. */
  readonly worker?: JsonValue;
  /** Live telemetry: heartbeats, output lines, token counts. Lossy; never read by a decision. */
  subscribe?(listener: (signal: unknown) => void): void;
}

/** Where attempts run. Another backend implements this and nothing else. */
export interface Transport {
  readonly name: string;
  readonly capabilities: {
    /** A restarted host can find a worker again. */
    readonly adopt: boolean;
    /** `kills`: after `stop` the worker is gone. `detaches`: it is only no longer listened to. */
    readonly stop: 'kills' | 'detaches';
    /** Its handles have `activity`. */
    readonly activity?: boolean;
  };
  /** Resolves once the worker runs. May reject; honours the signal. */
  start(order: WorkOrder, signal: AbortSignal): Promise<AttemptHandle>;
  /** After a host crash: the worker of this attempt, if it still runs or has replied. */
  adopt?(order: WorkOrder, signal: AbortSignal): Promise<AttemptHandle | undefined>;
  /**
   * The attempt is accepted or closed, so nobody looks at its workspace again: what was kept for its checks may go.
   * May be asked more than once, by a later host too. A throw or a hang changes nothing.
   */
  release?(attempt: {
    readonly runId: string;
    readonly task: Task;
    readonly attempt: number;
  }): Promise<void>;
}
