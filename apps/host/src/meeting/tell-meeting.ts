import { printable } from '@atelier/envelope';
import { jsonLine } from '@atelier/reporters';
import { minutesText, type RecordedMeeting } from '@atelier/team-behaviors';
import type { ExitCode } from '../command.ts';
import type { Streams } from '../streams.ts';
import type { MeetingEnd } from './hold-meeting-once.ts';
import type { RecordedNotes } from './record-notes.ts';

/** What came of a meeting of agents or of people. */
export type ToldMeeting = { readonly teamId: string } & (
  | MeetingEnd
  | (RecordedNotes & { readonly runs: readonly string[] })
);

const EXIT_CODES: Readonly<Record<ToldMeeting['kind'], ExitCode>> = {
  held: 0,
  'was-held': 0,
  partial: 3,
  parked: 4,
  stopped: 5,
};

/** Prints the minutes as Markdown, or all there is to know as one JSON object, and gives the exit code. */
export function tellMeeting(
  end: ToldMeeting,
  { json }: { readonly json: boolean },
  { stdout, stderr }: Streams,
): ExitCode {
  if (json) {
    const { recorded, teamId: team, ...rest } = { recorded: undefined, ...end };
    stdout.write(jsonLine({ version: 1, team, ...rest, ...(recorded && recordOf(recorded)) }));
  } else if ('recorded' in end) stdout.write(minutesText(end.recorded));
  const word = wordOf(end);
  if (word !== undefined) stderr.write(`${word}\n`);
  return EXIT_CODES[end.kind];
}

const GO_ON = 'the same command goes on where it was; an hour after it began, a meeting is ended';

function wordOf(end: ToldMeeting): string | undefined {
  if (end.kind === 'was-held') return 'the team has had its meeting: these are its minutes';
  if (end.kind === 'stopped') return `the meeting was stopped: ${GO_ON}`;
  if (end.kind !== 'parked') return undefined;
  const { cause, detail, resumeAt } = end;
  const more = cause === 'budget' ? 'with a larger --budget, ' : '';
  const until = resumeAt === undefined ? '' : ` until ${new Date(resumeAt).toISOString()}`;
  return `the meeting is parked${until}: ${printable(detail, 400)}; ${more}${GO_ON}`;
}

/** Texts as they are: JSON escapes what a terminal would obey. */
const recordOf = ({ chair, members, minutes, turns }: RecordedMeeting): object => ({
  ...{ chair, members },
  minutes: {
    summary: minutes.summary,
    decisions: minutes.decisions,
    open_points: minutes.openPoints,
    message_count: minutes.messageCount,
    partial: minutes.partial,
    ...(minutes.partialReason === null ? {} : { partial_reason: minutes.partialReason }),
  },
  turns: turns.map(({ turn, senderId: by, replyTo, body, at }) => ({
    ...{ turn, by, at, body },
    ...(replyTo === null ? {} : { reply_to: replyTo }),
  })),
});
