import { printable } from '@atelier/envelope';
import type { PartialReason } from './backstop.ts';
import { wordsOfTurn } from './contribution.ts';
import type { Turn } from './meeting-log.ts';
import type { Minutes } from './minutes.ts';

/** What of a meeting is told to people. */
export interface RecordedMeeting {
  readonly title: string;
  readonly chair: string;
  readonly members: readonly string[];
  readonly turns: readonly Turn[];
  readonly minutes: Minutes;
}

/** A meeting as Markdown for people: the summary, decisions, open points, then who said what. Nothing in it is obeyed by a terminal. */
export function minutesText({ title, chair, members, turns, minutes }: RecordedMeeting): string {
  return [
    `# ${printable(title)}`,
    ...(minutes.partialReason === null
      ? []
      : ['', `**PARTIAL**: ${WHY[minutes.partialReason]}, before it was done.`]),
    ...['', `Chair: ${printable(chair, 64)}. Members: ${members.map(name).join(', ')}.`],
    ...['', lines(minutes.summary)],
    ...['', '## Decisions', '', ...list(minutes.decisions)],
    ...['', '## Open points', '', ...list(minutes.openPoints)],
    ...['', `## What was said (${minutes.messageCount})`, '', ...turns.map(spoken)],
    '',
  ].join('\n');
}

const WHY: Readonly<Record<PartialReason, string>> = {
  wall_clock: 'the meeting was stopped by the clock',
  message_count: 'the meeting was stopped by the number of its messages',
};

const name = (roleId: string): string => printable(roleId, 64);

const list = (points: readonly string[]): string[] =>
  points.length === 0 ? ['None.'] : points.map((point) => `- ${printable(point, 600)}`);

const spoken = (turn: Turn): string =>
  `${turn.turn}. **${name(turn.senderId)}**${turn.replyTo === null ? '' : ` (to ${turn.replyTo})`}: ${printable(wordsOfTurn(turn), 4100)}`;

/** Each line printable by itself, so that paragraphs stay. A line can not be a heading of ours. */
const lines = (text: string): string =>
  text
    .split(/\r\n|[\r\n]/u)
    .map((line) => printable(line, 8000).replace(/^(?=\s*#)/u, '\\'))
    .join('\n');
