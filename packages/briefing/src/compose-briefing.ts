import type { BriefingInput } from './briefing-input.ts';
import { SECTIONS } from './sections.ts';

/**
 * What a worker is told, as Markdown. The same input gives the same bytes. It begins with what is the same for all
 * tasks of a run; then comes what is the same for all attempts of the task, and last what is this attempt's alone.
 * Foreign text stands in fences that it can not close, and is bounded.
 */
export function composeBriefing(input: BriefingInput): string {
  const chosen = SECTIONS.map(({ render }) => render(input)).filter((text) => text !== undefined);
  return `${chosen.join('\n\n')}\n`;
}
