import type { RunEvent } from '@atelier/engine';
import { eventLines } from './event-lines.ts';
import { columnsOf } from './fit.ts';
import type { RunSetting } from './opening.ts';
import { advance, noProgress } from './progress.ts';
import { statusBlock } from './status-block.ts';

export interface TerminalReporterOptions extends RunSetting {
  /** Takes text and cursor sequences, once per change. */
  readonly write: (text: string) => void;
  /** Columns of the terminal now; below 40 there are plain lines only. */
  readonly columns: () => number;
  /** Milliseconds on any clock that does not jump. */
  readonly now: () => number;
}

/** A live view of one run. */
export interface TerminalReporter {
  readonly event: (event: RunEvent) => void;
  /** Draws the elapsed times anew: to be called about once a second. */
  readonly redraw: () => void;
  /** Takes the status away and gives the cursor back. Idempotent; the end of the run does it too. */
  readonly end: () => void;
}

const HIDE_CURSOR = '\x1b[?25l';

const SHOW_CURSOR = '\x1b[?25h';

const CLEAR_BELOW = '\r\x1b[J';

const up = (lines: number): string => (lines > 0 ? `\x1b[${lines}A` : '');

/** Narrower terminals have no room for a block that must not wrap. */
const NARROWEST = 40;

/** Lines for events, and below them a status block that is drawn in place. */
export function terminalReporter(options: TerminalReporterOptions): TerminalReporter {
  const { write, columns, now, ...setting } = options;
  const lineOf = eventLines(setting);
  const unsandboxed = setting.sandbox?.kind === 'unsandboxed';
  const progress = noProgress();
  for (const event of setting.history ?? []) advance(progress, event, now());
  /** Columns of each line of the block on the screen. */
  let drawn: readonly number[] = [];
  let hidden = false;
  let over = false;

  const erased = (width: number): string => {
    if (drawn.length === 0) return '';
    // A terminal that was made narrower has wrapped what it showed.
    const height = drawn.reduce((sum, each) => sum + Math.max(1, Math.ceil(each / width)), 0);
    drawn = [];
    return up(height) + CLEAR_BELOW;
  };

  const draw = (above: string): void => {
    const width = Math.max(1, columns());
    const text = erased(width) + above;
    const live = !over && width >= NARROWEST;
    const block = live
      ? statusBlock(progress, { now: now(), columns: width - 1, unsandboxed })
      : [];
    drawn = block.map(columnsOf);
    const cursor = live === hidden ? '' : live ? HIDE_CURSOR : SHOW_CURSOR;
    hidden = live;
    const shown = text + cursor + block.map((line) => `${line}\n`).join('');
    if (shown !== '') write(shown);
  };

  return {
    event: (event) => {
      const line = lineOf(event);
      advance(progress, event, now());
      over = progress.ended;
      draw(line === undefined ? '' : `${line}\n`);
    },
    redraw: () => {
      if (!over && drawn.length > 0) draw('');
    },
    end: () => {
      over = true;
      draw('');
    },
  };
}
