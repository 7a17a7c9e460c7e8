import type { RunEvent } from '../core/event.ts';
import { evolve } from '../core/evolve.ts';
import { checkPolicy } from '../core/policy.ts';
import { emptyState } from '../core/state.ts';
import type { ValidReply } from './digest-block.ts';
import { waveReplies } from './wave-replies.ts';
import { type WaveSummary, waveSummary } from './wave-summary.ts';

export interface WaveOptions {
  /** A wave whose replies have more bytes than this gets a digest; 16384 when absent. */
  readonly thresholdBytes?: number;
}

/** A fold over the events of a run, from its first. */
export interface WaveWatch {
  /** Takes the next event; gives the summary of the wave that closes with it. */
  event(event: RunEvent): WaveSummary | undefined;
  /** The wave that is open. */
  open(): WaveSummary | undefined;
}

const THRESHOLD_BYTES = 16_384;

/**
 * Sums up waves as they close. What it keeps of a reply is short, and only until then. Deterministic: the same events
 * give the same summaries.
 */
export function watchWaves({ thresholdBytes = THRESHOLD_BYTES }: WaveOptions = {}): WaveWatch {
  const state = emptyState(checkPolicy());
  let replies = waveReplies();
  const open = () => state.wave && waveSummary(state, state.wave, { replies, thresholdBytes });
  return {
    event(event) {
      const closing = event.type === 'wave.closed' ? open() : undefined;
      evolve(state, event);
      if (event.type === 'wave.opened') replies = waveReplies();
      const reply = validReplyIn(event);
      if (reply) replies.add(reply);
      return closing;
    },
    open,
  };
}

/**
 * One summary for each wave that was opened, in that order; the last may be of a wave that is still open. One that a
 * changed plan cut short has none.
 */
export function waveSummaries(
  events: Iterable<RunEvent>,
  options: WaveOptions = {},
): WaveSummary[] {
  const watch = watchWaves(options);
  const summaries: WaveSummary[] = [];
  for (const event of events) {
    const closed = watch.event(event);
    if (closed) summaries.push(closed);
  }
  const open = watch.open();
  return open ? [...summaries, open] : summaries;
}

/** Work of an earlier run that stands for a task is told with the attempt that it was. */
function validReplyIn(event: RunEvent): ValidReply | undefined {
  switch (event.type) {
    case 'attempt.replied':
    case 'review.requested':
    case 'attempt.accepted':
      return event;
    case 'attempt.closed': {
      const { taskId, attempt, closure } = event;
      return 'reply' in closure ? { taskId, attempt, reply: closure.reply } : undefined;
    }
    case 'task.replayed':
      return { taskId: event.taskId, attempt: event.from.attempt, reply: event.reply };
    default:
      return undefined;
  }
}
