import type { PreviousAttempt } from './briefing-input.ts';
import { fence, fenceNames, NOTES_LIMIT } from './fence.ts';

/** Code points of how an attempt ended. */
const SUMMARY_LIMIT = 4000;

/** Code points of what a reviewer or a command found. */
const FINDINGS_LIMIT = 8000;

/** How the attempt before this one ended, so that it is not repeated, and where its work is. */
export const previousSection = (previous: PreviousAttempt): string => {
  const { summary, findings, notes } = previous;
  return [
    `# The attempt before this one

It did not count. What the host recorded:`,
    fence('previous attempt', summary, SUMMARY_LIMIT),
    ...(findings === undefined
      ? []
      : ['What was found:', fence('findings', findings, FINDINGS_LIMIT)]),
    ...(notes === undefined
      ? []
      : ['What its worker noted:', fence('worker notes', notes, NOTES_LIMIT)]),
    ...leftWork(previous),
  ].join('\n');
};

function leftWork({ ref, continued = false }: PreviousAttempt): string[] {
  const where = ref === undefined ? [] : [fenceNames('ref', [ref])];
  if (continued)
    return [
      `Where it still applies, what it left is in your folder as uncommitted changes; \`git status\` shows it. Go on from there.${ref === undefined ? '' : ' All of it is in git under:'}`,
      ...where,
    ];
  return ref === undefined
    ? []
    : ['What it left is not in your folder; git has it under:', ...where];
}
