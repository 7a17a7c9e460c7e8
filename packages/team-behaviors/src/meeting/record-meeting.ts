import { boundedText } from '../bounded-text.ts';
import { MeetingBackstop } from './backstop.ts';
import type { Closed, Meeting } from './meeting.ts';
import type { Closing } from './minutes.ts';

/** What somebody said at a meeting of people. */
export interface Entry {
  readonly sender: string;
  readonly text: string;
  /** The number of an earlier entry, from 1. */
  readonly replyTo?: number;
}

/**
 * Puts a meeting that people held on the wire, and closes it. The same entries again are the same meeting: nothing is
 * written twice. Where a backstop is met the rest is left out, and the minutes say that they are partial.
 */
export function recordMeeting(
  meeting: Meeting,
  entries: readonly Entry[],
  closing: Closing,
): Closed {
  const turns: number[] = [];
  try {
    for (const [index, { sender, text, replyTo }] of entries.entries()) {
      if (meeting.minutes()) break;
      const answered = replyTo === undefined ? undefined : turns[replyTo - 1];
      const { turn } = meeting.post({
        baseKey: `entry ${index + 1}`,
        sender,
        body: { says: boundedText(text, SAID) },
        ...(answered === undefined ? {} : { replyTo: answered }),
      });
      turns.push(turn);
    }
  } catch (error) {
    if (!(error instanceof MeetingBackstop)) throw error;
  }
  return meeting.close(closing);
}

const SAID = 4000;
