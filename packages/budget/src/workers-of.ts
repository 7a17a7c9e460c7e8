import { RUN_MODES, type RunMode } from './run-modes.ts';

/**
 * How many attempts a run may have in flight: what was asked, or less where the mode says so; a mode never raises
 * it. Undefined when neither says a number.
 */
export function workersOf(mode: RunMode, asked: number): number;
export function workersOf(mode: RunMode, asked?: number): number | undefined;
export function workersOf(mode: RunMode, asked?: number): number | undefined {
  const { maxWorkers } = RUN_MODES[mode];
  if (maxWorkers === null) return asked;
  return asked === undefined ? maxWorkers : Math.min(asked, maxWorkers);
}
