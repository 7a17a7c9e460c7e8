import type { Usage } from '@atelier/engine';

/**
 * What an agent's program shows while it works, for people and meters. Lossy, and no decision of a run reads it. Texts
 * are printable and short, and still foreign.
 */
export type AgentSignal =
  /** It calls a tool. */
  | { readonly kind: 'tool'; readonly tool: string }
  /** A tool call was refused to it. */
  | { readonly kind: 'denial'; readonly tool: string; readonly reason: string }
  /** A request to the model failed, and is sent again after `waitMs`. No status: it was not answered. */
  | { readonly kind: 'retry'; readonly status?: number; readonly waitMs?: number }
  /** The account has no more to give before `resumeAt`, in epoch milliseconds. */
  | { readonly kind: 'limit'; readonly resumeAt?: number }
  /** All that the attempt is known to have used up so far. */
  | { readonly kind: 'usage'; readonly usage: Usage };

/** What a listener of an attempt's handle is told. */
export type WorkerSignal =
  | AgentSignal
  /** Its files have grown; `bytes` are in all of them. */
  | { readonly kind: 'output'; readonly bytes: number };

/** Follows the standard output of one attempt, in order and each line once. Total, whatever the lines. */
export interface OutputReader {
  /** Takes complete lines without their ends; one of more than 1 MiB is left out. */
  read(lines: readonly string[]): readonly AgentSignal[];
  /** What the attempt has used up, as far as the lines have told. What they have not told is absent. */
  usage(): Usage;
}
