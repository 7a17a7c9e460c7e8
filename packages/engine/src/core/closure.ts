import type { AbandonCategory, Reply } from '@atelier/envelope';

/** Tokens and money of one attempt, as far as the agent told. */
export interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  readonly costUsd?: number;
}

/** Why an attempt failed. What each means for the rest of the run is in {@link CAUSES}. */
export type FailCause =
  | 'spawn'
  | 'exit'
  | 'no-reply'
  | 'output-limit'
  | 'timeout'
  | 'stalled'
  | 'interrupted'
  | 'lost'
  | 'unstoppable'
  | 'transport'
  | 'briefing'
  | 'usage-limit'
  | 'account'
  | 'overloaded'
  | 'request'
  /** It ran past what one attempt may spend, and was ended. */
  | 'budget'
  /** It was ended because the run is past its limit. */
  | 'cut'
  | 'acceptance'
  | 'false-done'
  | 'write-scope'
  | 'verify'
  | 'review'
  | 'conflict'
  | 'wave-gate'
  | 'integration';

/** An attempt that did not close its task. */
export interface FailedClosure {
  readonly kind: 'failed';
  readonly cause: FailCause;
  readonly detail: string;
  /** What the next attempt should know: a reviewer's notes, a command's last output. Foreign text. */
  readonly findings?: string;
  readonly exitCode?: number;
  /** Epoch milliseconds after which the world's failure may be over. */
  readonly resumeAt?: number;
}

/** The end of one attempt. What it means for the task is decided elsewhere. */
export type Closure =
  | { readonly kind: 'done'; readonly reply: Reply }
  | {
      readonly kind: 'abandoned';
      readonly reply: Reply;
      readonly category: AbandonCategory;
      readonly reason: string;
    }
  | {
      readonly kind: 'held';
      readonly reply: Reply;
      readonly status: 'blocked' | 'needs-input';
    }
  | { readonly kind: 'rejected'; readonly field: string; readonly detail: string }
  | FailedClosure;

/** One line that says how an attempt ended: the `last_status` of a spent budget. */
export function closureStatus(closure: Closure): string {
  switch (closure.kind) {
    case 'done':
      return 'done';
    case 'abandoned':
      return 'abandoned';
    case 'held':
      return `non-terminal status '${closure.status}'`;
    case 'rejected':
      return `invalid envelope: ${closure.detail}`;
    case 'failed':
      return `${closure.cause}: ${closure.detail}`;
  }
}
