import type { Answer } from './briefing-input.ts';
import { fence, NOTES_LIMIT } from './fence.ts';

/** Answers told before the oldest are only counted. */
const ANSWERS = 20;

/** Code points of one answer. */
const ANSWER_LIMIT = 8000;

/** What people answered to the questions of earlier attempts, oldest first. */
export function answersSection(answers: readonly Answer[]): string {
  const older = answers.length - ANSWERS;
  return [
    `# Answers to earlier questions

A person gave them for this task; take them as part of the work. A later one wins.`,
    ...(older > 0 ? [`${older} older answers are not shown.`] : []),
    ...answers
      .slice(-ANSWERS)
      .flatMap(({ question, answer }) => [
        fence('question', question, NOTES_LIMIT),
        fence('answer', answer, ANSWER_LIMIT),
      ]),
  ].join('\n');
}
