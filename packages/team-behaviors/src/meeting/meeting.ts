import type { JsonObject } from '../json-object.ts';
import type { MessageType } from '../wire/message-type.ts';
import type { MessageWire, SentMessage } from '../wire/message-wire.ts';
import type { MeetingCaps, PartialReason } from './backstop.ts';
import type { Turn } from './meeting-log.ts';
import type { Closing, Minutes } from './minutes.ts';

/** Who meets, and over what. */
export interface MeetingOptions {
  readonly wire: MessageWire;
  readonly teamId: string;
  /** The same text is the same meeting, in every process. Default: the team's meeting before its dispatch. */
  readonly meetingId?: string;
  /** Who opens and closes it. */
  readonly chair: string;
  readonly members: readonly string[];
  /** Epoch milliseconds, by the same clock as the wire's. */
  readonly now: () => number;
  /** Default an hour and 200 messages. */
  readonly caps?: Partial<MeetingCaps>;
}

/** Something said to everybody else in the meeting. */
export interface Post {
  /** Names the message among those of its sender: the same one again is the same message, sent once. */
  readonly baseKey: string;
  /** An object whose keys do not begin with an underscore. */
  readonly body: JsonObject;
  /** Default the chair. */
  readonly sender?: string;
  readonly type?: Extract<MessageType, 'team_meeting' | 'persona_gap'>;
  /** The turn that it answers. */
  readonly replyTo?: number;
}

export interface Posted {
  readonly turn: number;
  /** One for each recipient; `deduped` tells that the recipient had it already. */
  readonly sent: readonly SentMessage[];
  /** Messages of the meeting, each counted once. */
  readonly messageCount: number;
}

export interface Closed {
  /** What is in the log: of two closings the first stands. */
  readonly minutes: Minutes;
  /** Empty when the meeting was closed before. */
  readonly sent: readonly SentMessage[];
}

export interface MeetingState {
  readonly messageCount: number;
  /** Epoch milliseconds. */
  readonly firstMessageAt: number | null;
  readonly partialReason: PartialReason | null;
  readonly closed: boolean;
}

/** A meeting on the wire. All it knows is in the log, except that a backstop was met. */
export interface Meeting {
  readonly meetingId: string;
  readonly chair: string;
  /** Without the chair. */
  readonly members: readonly string[];
  /**
   * Sends a message to every other participant, or to none of them. Throws {@link MeetingBackstop} for one that is
   * too late or too many, `MEETING_CLOSED`, `MEETING_NOT_A_PARTICIPANT`, or `MEETING_INVALID_POST`.
   */
  post(post: Post): Posted;
  /** Whether that message is in the log. */
  has(message: Pick<Post, 'baseKey' | 'sender' | 'type'>): boolean;
  /** Sends the minutes, once: also before any message, and after a backstop. Throws `INVALID_TEXT` without a summary. */
  close(closing: Closing): Closed;
  state(): MeetingState;
  /** What was said, in the order of the turns, without the minutes. */
  transcript(): readonly Turn[];
  /** Null until it is closed. */
  minutes(): Minutes | null;
}
