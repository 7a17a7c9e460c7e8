import type { MessageType } from '../wire/message-type.ts';
import type { MessageWire, SentMessage } from '../wire/message-wire.ts';
import { recipientKey } from '../wire/recipient-key.ts';
import type { MeetingLog } from './meeting-log.ts';

/** What names a message within its meeting. */
export interface NamedMessage {
  readonly type: MessageType;
  readonly sender: string;
  readonly baseKey: string;
}

/** Who hears a meeting, and where. */
export interface Audience {
  readonly wire: MessageWire;
  readonly log: MeetingLog;
  readonly teamId: string;
  readonly meetingId: string;
  readonly participants: readonly string[];
}

export interface MessageContent {
  readonly payload: string;
  readonly turn: number;
  readonly replyTo?: number | undefined;
}

/** Sends one message to every participant but its sender, or to none of them. */
export function fanOut(
  { wire, log, teamId, meetingId, participants }: Audience,
  message: NamedMessage,
  { payload, turn, replyTo }: MessageContent,
): readonly SentMessage[] {
  const { sender, type } = message;
  const shared = { teamId, meetingId, senderId: sender, kind: 'reply', mtype: type } as const;
  return wire.sendAll(
    participants
      .filter((recipient) => recipient !== sender)
      .map((recipient) => {
        const causalRef = replyTo === undefined ? undefined : log.seqOf(replyTo, recipient);
        const idempotencyKey = keyFor(meetingId, message, recipient);
        return {
          ...{ ...shared, recipient, payload, turn, idempotencyKey },
          ...(causalRef === undefined ? {} : { causalRef }),
        };
      }),
  );
}

/** The turn that a message has; it may have gone out to others than are here now, so any of its keys tells. */
export const turnOf = (
  { log, meetingId, participants }: Audience,
  message: NamedMessage,
): number | undefined =>
  participants
    .map((recipient) => log.turnOfKey(keyFor(meetingId, message, recipient)))
    .find((turn) => turn !== undefined);

/** Of all that names a message, so that no other message of the team has its keys. */
const keyFor = (meetingId: string, { type, sender, baseKey }: NamedMessage, recipient: string) =>
  recipientKey(JSON.stringify([type, meetingId, sender, baseKey]), recipient);
