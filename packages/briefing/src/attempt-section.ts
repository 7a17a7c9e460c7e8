import type { BriefingInput } from './briefing-input.ts';

/** Where the part begins that is this attempt's alone. */
export const attemptSection = ({ attempt, maxAttempts }: BriefingInput): string =>
  `# This attempt\n\nattempt: ${attempt} (of at most ${maxAttempts})`;
