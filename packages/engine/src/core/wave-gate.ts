import { TERMINAL_ONLY } from '@atelier/envelope';

/** What is known of one wave: who must report, and who did, with which closure token. */
export interface WaveTracker {
  readonly wave_id: string;
  readonly expected: readonly string[];
  readonly reports: ReadonlyMap<string, string>;
}

/**
 * The barrier: true when every expected task reported `done` or `abandoned`, and nothing else will do.
 * `blocked` and `needs-input` hold it; acknowledgements are never consulted.
 */
export function waveGateSatisfied(tracker: WaveTracker): boolean {
  const terminal: ReadonlySet<string | undefined> = new Set<string>(TERMINAL_ONLY);
  return tracker.expected.every((id) => terminal.has(tracker.reports.get(id)));
}
