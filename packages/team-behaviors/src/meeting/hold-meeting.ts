import { givenText } from '../bounded-text.ts';
import type { JsonObject } from '../json-object.ts';
import { MeetingBackstop } from './backstop.ts';
import {
  type Contribution,
  contributionBody,
  contributionOf,
  parseContribution,
} from './contribution.ts';
import { fencedTranscript } from './fenced-transcript.ts';
import type { Closed, Meeting } from './meeting.ts';
import { speakingOrder } from './speaking-order.ts';
import { type Tally, tally } from './tally.ts';

/** What a persona is asked in its turn. */
export interface Question {
  readonly speaker: string;
  readonly round: number;
  /** What the meeting is about: the host's own text. */
  readonly topic: string;
  /** What was said so far, in fences. */
  readonly transcript: string;
}

export interface HeldMeeting {
  readonly meeting: Meeting;
  readonly topic: string;
  /** Kept with the opening, under keys of its own: what names what the meeting is about, for a program. */
  readonly about?: JsonObject;
  /**
   * Has a persona speak, by one attempt that may write nothing; undefined when it failed. It bounds its own time. What
   * it gives is untrusted: `{ says, stand?, decisions?, open_points? }`.
   */
  readonly ask: (question: Question) => Promise<unknown>;
  /** How often everybody is asked, at most. Default 3. */
  readonly rounds?: number;
  readonly signal?: AbortSignal;
}

/** `stopped` was told to, and goes on where it was when it is held again. */
export type HeldOutcome =
  | (Closed & { readonly kind: 'closed'; readonly tally: Tally })
  | { readonly kind: 'stopped' };

/**
 * Has the members of a meeting speak in turn until they agree, the rounds are over or a backstop is met, and closes it
 * with what they decided and what is open. Nobody is asked twice for one turn, also by another process. A persona that
 * fails to speak misses its turn.
 */
export async function holdMeeting(options: HeldMeeting): Promise<HeldOutcome> {
  const { meeting, ask, rounds = 3, signal } = options;
  const topic = givenText(options.topic, 'the topic', 8000);
  if (meeting.minutes()) return closeAs(meeting);
  try {
    meeting.post({ baseKey: 'opening', body: { ...options.about, says: topic } });
    for (const { round, speaker, last } of speakingOrder(meeting.members, rounds)) {
      const post = { baseKey: `round ${round}`, sender: speaker };
      if (!meeting.has(post)) {
        if (signal?.aborted) return { kind: 'stopped' };
        const transcript = fencedTranscript(meeting.transcript());
        const answer = await spoken(() => ask({ speaker, round, topic, transcript }));
        if (signal?.aborted) return { kind: 'stopped' };
        if (answer) meeting.post({ ...post, body: contributionBody(answer) });
      }
      if (last && standing(meeting).consensus) break;
    }
  } catch (error) {
    if (!(error instanceof MeetingBackstop)) throw error;
  }
  return closeAs(meeting);
}

async function spoken(ask: () => Promise<unknown>): Promise<Contribution | undefined> {
  try {
    return parseContribution(await ask());
  } catch {
    return undefined;
  }
}

const contributions = (meeting: Meeting) =>
  meeting.transcript().flatMap((turn) => {
    const said = meeting.members.includes(turn.senderId) ? contributionOf(turn) : undefined;
    return said ? [{ member: turn.senderId, ...said }] : [];
  });

const standing = (meeting: Meeting): Tally =>
  tally(
    meeting.members,
    contributions(meeting).flatMap(({ member, stand }) => (stand ? [{ member, stand }] : [])),
  );

/** Without consensus nothing is decided: what was proposed stays open. */
function closeAs(meeting: Meeting): HeldOutcome {
  const counted = standing(meeting);
  const said = contributions(meeting);
  const proposed = distinct(said.flatMap(({ decisions }) => decisions));
  // The last word of each: what it once found open may have been answered.
  const last = new Map(said.map((one) => [one.member, one.openPoints]));
  const open = distinct([...last.values()].flat());
  const closed = meeting.close({
    summary: summaryOf(counted, meeting),
    decisions: counted.consensus ? proposed : [],
    openPoints: counted.consensus
      ? open
      : [
          ...counted.object.map((member) => `${member} objects`),
          ...counted.missing.map((member) => `${member} has not said where it stands`),
          ...proposed.map((one) => `not decided: ${one}`),
          ...open,
        ],
  });
  return { kind: 'closed', tally: counted, ...closed };
}

function summaryOf(
  { consensus, agree, object, abstain, missing }: Tally,
  meeting: Meeting,
): string {
  const { messageCount, partialReason } = meeting.state();
  return [
    consensus ? 'Consensus.' : 'No consensus.',
    `${agree.length} agree, ${object.length} object, ${abstain.length} abstain, ${missing.length} have not said; ${messageCount} messages.`,
    ...(partialReason === null ? [] : ['The meeting was stopped before it was done.']),
  ].join(' ');
}

const distinct = (texts: readonly string[]): string[] => [...new Set(texts)];
