import { answersSection } from './answers-section.ts';
import { attemptSection } from './attempt-section.ts';
import { chatSection } from './chat-section.ts';
import { unfenced } from './fence.ts';
import { IDENTITY, RULES } from './host-rules.ts';
import { limitsSection } from './limits-section.ts';
import { isMinimal, MINIMAL } from './minimal-section.ts';
import { previousSection } from './previous-section.ts';
import { replyContract } from './reply-contract.ts';
import { reviewSection } from './review-section.ts';
import { type Section, section } from './section.ts';
import { taskSection } from './task-section.ts';
import { upstreamSection } from './upstream-section.ts';
import { waveSection } from './wave-section.ts';
import { workSection } from './work-section.ts';

const always = (): true => true;

const orNone = <Item>(items: readonly Item[] = []): readonly Item[] | undefined =>
  items.length === 0 ? undefined : items;

/**
 * All that a briefing can hold, in its order: what more briefings share comes first, so that prompt caches hit. A new
 * section is a row here and a field of the input; a briefing without that field keeps its bytes.
 */
export const SECTIONS: readonly Section[] = [
  section({ id: 'identity', scope: 'run', when: always, text: () => IDENTITY }),
  section({ id: 'rules', scope: 'run', when: always, text: () => RULES }),
  section({ id: 'contract', scope: 'run', when: ({ handIn }) => handIn, text: replyContract }),
  section({ id: 'limits', scope: 'run', when: (input) => input, text: limitsSection }),
  section({ id: 'chat', scope: 'run', when: ({ chat }) => chat, text: chatSection }),
  section({
    id: 'persona',
    scope: 'task',
    when: ({ task }) => task.persona,
    text: (persona) => `# Your role\n\n${unfenced(persona)}`,
  }),
  section({
    id: 'procedure',
    scope: 'task',
    when: ({ procedure }) => procedure,
    text: (procedure) => `# How this phase goes\n\n${unfenced(procedure)}`,
  }),
  section({
    id: 'minimal',
    scope: 'task',
    when: ({ task }) => isMinimal(task.phase) || undefined,
    text: () => MINIMAL,
  }),
  section({
    id: 'wave',
    scope: 'task',
    when: ({ wave, task: { phase } }) =>
      wave === undefined && phase === undefined ? undefined : { wave, phase },
    text: waveSection,
  }),
  section({ id: 'task', scope: 'task', when: (input) => input, text: taskSection }),
  section({ id: 'review', scope: 'task', when: ({ review }) => review, text: reviewSection }),
  section({
    id: 'upstream',
    scope: 'task',
    when: ({ upstream }) => orNone(upstream),
    text: upstreamSection,
  }),
  section({ id: 'attempt', scope: 'attempt', when: (input) => input, text: attemptSection }),
  section({ id: 'work', scope: 'attempt', when: ({ review }) => review, text: workSection }),
  section({
    id: 'previous',
    scope: 'attempt',
    when: ({ previous }) => previous,
    text: previousSection,
  }),
  section({
    id: 'answers',
    scope: 'attempt',
    when: ({ answers }) => orNone(answers),
    text: answersSection,
  }),
];
