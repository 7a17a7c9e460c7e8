import type { HeldMeeting, Meeting, MeetingCaps, Question } from '@atelier/team-behaviors';

/** How long one turn may take; less where the meeting has to end before. */
const TURN_MS = 600_000;

/** No attempt is given less. */
const LEAST_MS = 1000;

export interface TurnTaking {
  readonly meeting: Meeting;
  readonly caps: MeetingCaps;
  readonly now: () => number;
  /** Has somebody speak, by one attempt within that time; undefined when it failed. Its end is untrusted. */
  readonly speak: (question: Question, wallClockMs: number) => Promise<object | undefined>;
  /** Whether nobody is to be asked any more. */
  readonly isStopped: () => boolean;
}

/**
 * How a meeting asks its members: nobody is started for a turn that would come too late, and a turn that was missed is
 * written down, so that it is not asked for again and whoever speaks next can see it.
 */
export function turnTaking({
  meeting,
  caps,
  now,
  speak,
  isStopped,
}: TurnTaking): HeldMeeting['ask'] {
  return async (question) => {
    const { firstMessageAt, messageCount, partialReason } = meeting.state();
    if (partialReason !== null || meeting.has(missed(question))) return undefined;
    const left = caps.wallClockMs - (now() - (firstMessageAt ?? now()));
    if (left > 0 && messageCount < caps.messages) {
      const said = await speak(question, Math.max(LEAST_MS, Math.min(TURN_MS, left)));
      if (said !== undefined || isStopped()) return said;
    }
    // Where the meeting is over, posting is what marks it.
    meeting.post(missed(question));
    return undefined;
  };
}

/** In the host's own words alone: it is the lead that says so, and nothing that an agent wrote may be in it. */
const missed = ({ speaker, round }: Question): Parameters<Meeting['post']>[0] => ({
  baseKey: `round ${round} without ${speaker}`,
  body: { says: `${speaker} missed its turn in round ${round}.` },
});
