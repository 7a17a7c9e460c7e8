import { givenText } from '../bounded-text.ts';
import { isObject } from '../json-object.ts';
import { encodeMessage } from '../wire/message-type.ts';
import type { MessageWire } from '../wire/message-wire.ts';
import { backstopOf, MEETING_CAPS, MeetingBackstop, type PartialReason } from './backstop.ts';
import { type Audience, fanOut, turnOf } from './fan-out.ts';
import type { Meeting, MeetingOptions, MeetingState, Post } from './meeting.ts';
import {
  invalidPost,
  meetingIsClosed,
  meetingWasHeld,
  minutesLost,
  nobodyMeets,
  notAParticipant,
} from './meeting-error.ts';
import { meetingLog, REPLY_TO_KEY } from './meeting-log.ts';
import { minutesBody, minutesOf } from './minutes.ts';

/** The meeting that a team holds before its tasks are dispatched. */
const PLAN_PHASE = 'plan-phase';

/** Whether a team has had its meeting: then none is held again. */
export const meetingHeld = (wire: MessageWire, teamId: string): boolean =>
  wire.messages({ teamId, mtype: 'meeting_done' }).length > 0;

/**
 * Opens a meeting, or goes on with one that an earlier process left. Throws `MEETING_HELD` when the team has closed
 * another one, and `MEETING_NOBODY` without a member beside the chair.
 */
export function openMeeting(options: MeetingOptions): Meeting {
  const { wire, teamId, chair, now } = options;
  const meetingId = givenText(options.meetingId ?? PLAN_PHASE, 'the meeting id', 64);
  const caps = { ...MEETING_CAPS, ...options.caps };
  const members = [...new Set(options.members)].filter((member) => member !== chair);
  if (members.length === 0) throw nobodyMeets();
  const log = meetingLog(wire, { teamId, meetingId });
  const audience: Audience = { wire, log, teamId, meetingId, participants: [chair, ...members] };
  let metBackstop: PartialReason | null = null;

  const said = () => log.turns.filter(({ type }) => type !== 'meeting_done');
  const closing = () => log.turns.find(({ type }) => type === 'meeting_done');
  const nextTurn = () => (log.turns.at(-1)?.turn ?? 0) + 1;
  const facts = (): MeetingState => {
    const times = said().map(({ at }) => Date.parse(at));
    return {
      messageCount: times.length,
      firstMessageAt: times.length === 0 ? null : Math.min(...times),
      partialReason: metBackstop,
      closed: closing() !== undefined,
    };
  };
  /** What is asked of a meeting is answered from all that was written by now. */
  const upToDate = <T>(answer: () => T): T => {
    log.refresh();
    return answer();
  };

  if (upToDate(closing) === undefined && meetingHeld(wire, teamId)) throw meetingWasHeld();

  return {
    meetingId,
    chair,
    members,
    post(post) {
      const { sender = chair, type = 'team_meeting', replyTo } = post;
      if (upToDate(closing)) throw meetingIsClosed();
      if (!audience.participants.includes(sender)) throw notAParticipant(sender);
      const payload = encodeMessage(type, bodyOf(post));
      const message = { type, sender, baseKey: givenText(post.baseKey, 'the base key', 200) };
      const known = turnOf(audience, message);
      const met = backstopOf(facts(), { now: now(), isNew: known === undefined, caps });
      if (met) {
        metBackstop = met;
        throw new MeetingBackstop(met, caps);
      }
      const turn = known ?? nextTurn();
      const sent = fanOut(audience, message, { payload, turn, replyTo });
      return { turn, sent, messageCount: upToDate(facts).messageCount };
    },
    has: ({ baseKey, sender = chair, type = 'team_meeting' }) =>
      upToDate(() => turnOf(audience, { type, sender, baseKey })) !== undefined,
    close(minutes) {
      const earlier = upToDate(closing);
      if (earlier) return { minutes: minutesOf(earlier), sent: [] };
      const payload = encodeMessage('meeting_done', minutesBody(minutes, facts()));
      const message = { type: 'meeting_done', sender: chair, baseKey: '' } as const;
      const sent = fanOut(audience, message, { payload, turn: nextTurn() });
      const stored = upToDate(closing);
      if (!stored) throw minutesLost();
      return { minutes: minutesOf(stored), sent };
    },
    state: () => upToDate(facts),
    transcript: () => upToDate(said),
    minutes() {
      const stored = upToDate(closing);
      return stored ? minutesOf(stored) : null;
    },
  };
}

function bodyOf({ body, replyTo, type = 'team_meeting' }: Post): Post['body'] {
  const fit = isObject(body) && !Object.keys(body).some((key) => key.startsWith('_'));
  const answers = replyTo === undefined || (Number.isSafeInteger(replyTo) && replyTo > 0);
  if (!fit || !answers || !['team_meeting', 'persona_gap'].includes(type)) throw invalidPost();
  return replyTo === undefined ? body : { ...body, [REPLY_TO_KEY]: replyTo };
}
