import { TeamError } from '../team-error.ts';

/** Why a meeting had to end before it was done. */
export type PartialReason = 'wall_clock' | 'message_count';

/** How long a meeting may take from its first message on, and how many messages it may have. */
export interface MeetingCaps {
  readonly wallClockMs: number;
  readonly messages: number;
}

export const MEETING_CAPS: MeetingCaps = Object.freeze({ wallClockMs: 3_600_000, messages: 200 });

/** A message that comes too late or is one too many. It was not sent; close the meeting with what there is. */
export class MeetingBackstop extends TeamError {
  readonly reason: PartialReason;

  constructor(reason: PartialReason, { wallClockMs, messages }: MeetingCaps) {
    super(
      'MEETING_BACKSTOP',
      reason === 'wall_clock'
        ? `the meeting has taken ${Math.floor(wallClockMs / 60_000)} minutes`
        : `the meeting has its ${messages} messages`,
      'Close the meeting; its minutes will say that they are partial.',
    );
    this.reason = reason;
  }
}

/** The backstop that a message meets, the clock's first. A replay is no new message, and may still be too late. */
export function backstopOf(
  {
    firstMessageAt,
    messageCount,
  }: { readonly firstMessageAt: number | null; readonly messageCount: number },
  {
    now,
    isNew,
    caps,
  }: { readonly now: number; readonly isNew: boolean; readonly caps: MeetingCaps },
): PartialReason | null {
  if (firstMessageAt !== null && now - firstMessageAt >= caps.wallClockMs) return 'wall_clock';
  return isNew && messageCount >= caps.messages ? 'message_count' : null;
}
