import type { WorkUnderReview } from './briefing-input.ts';
import { fence, fenceNames } from './fence.ts';

/** What was asked of the work that this task judges, and what each verdict means: the same for every round. */
export function reviewSection(review: WorkUnderReview): string {
  const { taskId, title, description, acceptance } = review;
  return [
    `# What you review

Your folder holds the work of another worker, read-only. Its task:`,
    fenceNames('reviewed task', [taskId]),
    ...(title === undefined ? [] : [fence('its title', title)]),
    ...(description === undefined
      ? []
      : ['What was asked:', fence('its description', description)]),
    ...(acceptance === undefined
      ? []
      : ['It is to be accepted when:', fence('its acceptance', acceptance)]),
    VERDICT,
  ].join('\n');
}

const VERDICT = `Judge whether the work does what was asked. Change no file, and mend nothing yourself. Your status is the verdict:
  - done: you approve the work as it is. As artifacts, list the files you looked at.
  - blocked: it does not pass. The notes are your findings and go to its author: what is wrong, where, and what would be right.
  - needs-input: counts like blocked.
  - abandoned: nobody in your place could judge it. Then the work can not count.`;
