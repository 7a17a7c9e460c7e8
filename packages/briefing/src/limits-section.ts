import type { BriefingInput } from './briefing-input.ts';

const CONTEXT = `Near 125 000 tokens of context: first checkpoint, then return. Leave the files fit to go on from, note what is done and what is open, and reply, with blocked if work is left. Stay below 150 000. Nothing makes your context shorter.`;

/** What a worker has to keep within: its context, and its time where that is told. */
export const limitsSection = ({ wallClockMs }: Pick<BriefingInput, 'wallClockMs'>): string =>
  [
    '# Your limits\n',
    ...(wallClockMs === undefined
      ? []
      : [`You have ${duration(wallClockMs)}, then you are stopped.`]),
    CONTEXT,
  ].join('\n');

/** Rounded down: better early than cut off. */
function duration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return seconds < 120 ? `${seconds} seconds` : `${Math.floor(seconds / 60)} minutes`;
}
