import type { RunEvent } from '@atelier/engine';
import {
  lineReporter,
  ndjsonReporter,
  type RunSetting,
  terminalReporter,
} from '@atelier/reporters';
import type { Streams } from '../streams.ts';

/** One way to tell a run while it goes on. */
export interface LiveReporter {
  readonly event: (event: RunEvent) => void;
  readonly end: () => void;
}

interface ReporterChoice extends RunSetting {
  readonly json: boolean;
}

/** NDJSON when asked for, a live view on a terminal, plain lines elsewhere. */
export function chooseReporter(
  { json, ...setting }: ReporterChoice,
  { stdout, stderr }: Streams,
): LiveReporter {
  if (json) {
    const event = ndjsonReporter({ write: (text) => stdout.write(text) });
    return { event, end: () => undefined };
  }
  if (stderr.columns === undefined) {
    const event = lineReporter({ ...setting, write: (text) => stderr.write(text) });
    return { event, end: () => undefined };
  }
  const live = terminalReporter({
    ...setting,
    write: (text) => stderr.write(text),
    columns: () => stderr.columns ?? 80,
    now: () => performance.now(),
  });
  const clock = setInterval(() => live.redraw(), 1_000);
  return {
    event: live.event,
    end: () => {
      clearInterval(clock);
      live.end();
    },
  };
}
