import type { Answer, PreviousAttempt, UpstreamWork } from './briefing-input.ts';
import { fence, fenceNames } from './fence.ts';
import { textOrder } from './text-order.ts';

/** Upstream tasks told about before they are only counted. */
const UPSTREAMS = 50;

/** Code points of the notes of one upstream task: what its own briefing allowed it. */
const NOTES_LIMIT = 2000;

/** Code points of what a reviewer or a command found. */
const FINDINGS_LIMIT = 8000;

/** How the attempt before this one ended, so that it is not repeated, and where its work is. */
export const previousSection = (previous: PreviousAttempt): string =>
  [
    `# The attempt before this one

It did not count. What the host recorded:`,
    fence('previous attempt', previous.summary, 4000),
    ...(previous.findings === undefined
      ? []
      : ['What was found:', fence('findings', previous.findings, FINDINGS_LIMIT)]),
    ...leftWork(previous),
  ].join('\n');

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

/** What the tasks that this one builds on delivered, sorted by their ids. */
export function upstreamSection(upstream: readonly UpstreamWork[]): string {
  const sorted = upstream.toSorted((a, b) => textOrder(String(a.taskId), String(b.taskId)));
  const rest = sorted.length - UPSTREAMS;
  return [
    `# What earlier tasks delivered

It is merged into your folder.`,
    ...sorted.slice(0, UPSTREAMS).flatMap(upstreamLines),
    ...(rest > 0 ? [`${rest} more earlier tasks are not shown.`] : []),
  ].join('\n');
}

const upstreamLines = ({ taskId, artifacts, notes }: UpstreamWork): string[] => [
  fenceNames('earlier task', [taskId]),
  ...(artifacts.length === 0 ? [] : [fenceNames('artifacts', artifacts)]),
  ...(notes === undefined ? [] : [fence('notes', notes, NOTES_LIMIT)]),
];

/** What people answered to the questions of earlier attempts, oldest first. */
export const answersSection = (answers: readonly Answer[]): string =>
  [
    `# Answers to earlier questions

A person gave them for this task; take them as part of the work. A later one wins.`,
    ...answers.flatMap(({ question, answer }) => [
      fence('question', question, NOTES_LIMIT),
      fence('answer', answer),
    ]),
  ].join('\n');
