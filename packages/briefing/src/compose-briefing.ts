import { answersSection, previousSection, upstreamSection } from './background-sections.ts';
import type { BriefingInput } from './briefing-input.ts';
import { contract } from './contract.ts';
import { unfenced } from './fence.ts';
import { reviewSection } from './review-section.ts';
import { taskSection } from './task-section.ts';

/**
 * What a worker is told, as Markdown. The same input gives the same bytes. It begins with what is the same for all
 * tasks of a run, then the persona, then the task; foreign text stands in fences that it can not close, and is bounded.
 */
export function composeBriefing(input: BriefingInput): string {
  const { task, handIn, previous, review, upstream = [], answers = [] } = input;
  const sections = [
    contract(handIn),
    ...(task.persona === undefined ? [] : [`# Your role\n\n${unfenced(task.persona)}`]),
    taskSection(input),
    ...(review === undefined ? [] : [reviewSection(review)]),
    ...(previous === undefined ? [] : [previousSection(previous)]),
    ...(upstream.length === 0 ? [] : [upstreamSection(upstream)]),
    ...(answers.length === 0 ? [] : [answersSection(answers)]),
  ];
  return `${sections.join('\n\n')}\n`;
}
