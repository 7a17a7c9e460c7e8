import { markdownText } from '@atelier/envelope';
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

/**
 * A meeting as Markdown for people: the summary, decisions, open points, then who said what. Nothing that was said is
 * markup, a link or a mention, and nothing in it is obeyed by a terminal.
 */
export function minutesText({ title, chair, members, turns, minutes }: RecordedMeeting): string {
  return [
    `# ${text(title, 200)}`,
    ...(minutes.partialReason === null
      ? []
      : ['', `**PARTIAL**: ${WHY[minutes.partialReason]}, before it was done.`]),
    ...['', `Chair: ${name(chair)}. Members: ${members.map(name).join(', ')}.`],
    ...['', paragraphs(minutes.summary)],
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

/** What a line begins with can make code or a heading of it, also behind spaces. */
const text = (given: string, most: number): string => markdownText(given.trimStart(), most);

const name = (roleId: string): string => text(roleId, 64);

const list = (points: readonly string[]): string[] =>
  points.length === 0 ? ['None.'] : points.map((point) => `- ${text(point, 600)}`);

const spoken = (turn: Turn): string =>
  `${turn.turn}. **${name(turn.senderId)}**${turn.replyTo === null ? '' : ` (to ${turn.replyTo})`}: ${text(wordsOfTurn(turn), 4100)}`;

/** Each line by itself, so that paragraphs stay. */
const paragraphs = (given: string): string =>
  given
    .split(/\r\n|[\r\n]/u)
    .map((line) => text(line, 8000))
    .join('\n');
