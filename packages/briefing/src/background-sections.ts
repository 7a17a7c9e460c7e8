import type { Answer, PreviousAttempt, UpstreamWork } from './briefing-input.ts';
import { fence, fenceNames } from './fence.ts';

/** Upstream tasks told about before they are only counted. */
const UPSTREAMS = 50;

/** Code points of the notes of one upstream task: what its own briefing allowed it. */
const NOTES_LIMIT = 2000;

/** How the attempt before this one ended, so that it is not repeated. */
export const previousSection = ({ summary, ref }: PreviousAttempt): string =>
  [
    `# The attempt before this one

It did not count. What the host recorded:`,
    fence('previous attempt', summary, 4000),
    ...(ref === undefined
      ? []
      : ['What it left is not in your folder; git has it under:', fenceNames('ref', [ref])]),
  ].join('\n');

/** What the tasks that this one builds on delivered, sorted by their ids. */
export function upstreamSection(upstream: readonly UpstreamWork[]): string {
  const sorted = upstream.toSorted((a, b) => order(String(a.taskId), String(b.taskId)));
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

/** By UTF-16 unit: the same on every machine, which a locale's order is not. */
const order = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

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
