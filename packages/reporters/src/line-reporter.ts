import type { RunEvent } from '@atelier/engine';
import { eventLines } from './event-lines.ts';
import type { RunSetting } from './opening.ts';

export interface LineReporterOptions extends RunSetting {
  /** Takes whole lines with their line breaks. */
  readonly write: (text: string) => void;
}

/**
 * One plain line for each event that a person cares about: time in UTC, task or wave, what happened. It needs no
 * clock, because events carry their time.
 */
export function lineReporter({
  write,
  ...setting
}: LineReporterOptions): (event: RunEvent) => void {
  const lineOf = eventLines(setting);
  return (event) => {
    const line = lineOf(event);
    if (line !== undefined) write(`${line}\n`);
  };
}
