import { printable } from '@atelier/envelope';

const INSTANT = /^\d{4}-\d\d-\d\dT(\d\d:\d\d:\d\d)/;

/** The time of day of an event, in UTC, eight columns wide. */
export const timeOfDay = (at: string): string =>
  INSTANT.exec(at)?.[1] ?? printable(at, 8).slice(0, 8).padEnd(8);

/** A number of milliseconds as people say it; `-` for what is no duration. */
export function duration(ms: number): string {
  if (!Number.isFinite(ms) || ms < 0) return '-';
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return two(minutes, 'min', seconds % 60, 's');
  return two(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
}

const two = (large: number, unit: string, small: number, smaller: string): string =>
  small === 0 ? `${large} ${unit}` : `${large} ${unit} ${small} ${smaller}`;

const LAST_INSTANT = 8.64e15;

/** Epoch milliseconds as an instant in UTC; undefined for what is none. */
export const instant = (ms: number | undefined): string | undefined =>
  ms !== undefined && Math.abs(ms) <= LAST_INSTANT ? new Date(ms).toISOString() : undefined;
