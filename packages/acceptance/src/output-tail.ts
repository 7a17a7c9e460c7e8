import { printable } from '@atelier/envelope';

const MOST_POINTS = 8_000;

/** What is looked at of a longer text: escaping a megabyte that is then cut is not worth the work. */
const MOST_UNITS = 64 * 1024;

/** Colours, in the form that `printable` gives them. */
const COLOUR = /\\x1b\[[\d;]*m/g;

/** The end of what a command printed, for the next attempt to read: bounded, lines kept, nothing in it acts. */
export function outputTail(output: string, mostPoints: number = MOST_POINTS): string {
  const lines = output
    .slice(-MOST_UNITS)
    .toWellFormed()
    .split(/\r\n?|\n/);
  const shown = lines
    .map((line) => printable(line.replaceAll('\t', '    '), Number.POSITIVE_INFINITY))
    .join('\n')
    .replaceAll(COLOUR, '')
    .trim();
  const points = [...shown];
  return points.length > mostPoints ? `…${points.slice(1 - mostPoints).join('')}` : shown;
}

/** The same on one line, for a message. */
export const lastWords = (output: string): string =>
  outputTail(output, 300).replaceAll(/\s*\n\s*/g, ' | ');
