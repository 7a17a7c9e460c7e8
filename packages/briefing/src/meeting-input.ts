import type { HandIn } from './briefing-input.ts';

/** What the briefing of a turn in a meeting is made of. Every text in it is foreign and goes into a fence, but for `profile`. */
export interface MeetingInput {
  /** Who speaks. */
  readonly speaker: string;
  /** Who that is told to be: the operator's own text, trusted. It stands outside every fence. */
  readonly profile: string;
  /** Which round of the meeting it is, from 1. */
  readonly round: number;
  /** What the meeting is about, in lines: the goal, and every task. */
  readonly topic: string;
  /** What was said so far: elements `untrusted` with the attributes `source` and `seq`, and none where nobody has spoken. */
  readonly transcript: string;
  /** How a reply names its attempt. */
  readonly taskId: string;
  readonly attempt: number;
  /** How long the attempt may take. Absent: it is not told. */
  readonly wallClockMs?: number;
  readonly handIn: HandIn;
}
