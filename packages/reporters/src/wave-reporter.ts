import type { RunEvent, WaveSummary, WaveWatch } from '@atelier/engine';
import { jsonLine } from './json-line.ts';

/** A wave that has closed, as a line of NDJSON. Wire format: `version` changes when a key does. */
export type WaveRecord = WaveSummary & {
  readonly type: 'wave.summary';
  readonly version: 1;
  readonly runId: string;
};

export interface WaveReporterOptions {
  readonly write: (text: string) => void;
  /** What a resumed run has been through: it is not told again. */
  readonly history?: readonly RunEvent[];
  /** `watchWaves` of the engine, with the threshold that is wanted. */
  readonly watch: Pick<WaveWatch, 'event'>;
}

/** One line for each wave, when it has closed, to stand among those of `ndjsonReporter`. It is no event: it has no `seq`. */
export function waveReporter({
  write,
  history = [],
  watch,
}: WaveReporterOptions): (event: RunEvent) => void {
  for (const event of history) watch.event(event);
  return (event) => {
    const summary = watch.event(event);
    if (!summary) return;
    const record: WaveRecord = {
      ...{ type: 'wave.summary', version: 1, runId: event.runId },
      ...summary,
    };
    write(jsonLine(record));
  };
}
