/**
 * What the worker of an order under test does. Where workers are processes, one that hangs has a child that hangs too,
 * best in a session of its own, and neither heeds a request to end.
 */
export type Behaviour =
  /** Delivers its reply and ends well. */
  | 'reply'
  /** The same, about a second after its start. */
  | 'reply-later'
  /** The same, with the nonce that reached it added to the reply as `nonce`; without one where none did. */
  | 'echo-nonce'
  /** Delivers its reply and does not end. */
  | 'reply-then-hang'
  /** Delivers a text that is no JSON, and ends well. */
  | 'garbage'
  /** Ends well and delivers nothing. */
  | 'exit-without-reply'
  /** Ends badly and delivers nothing. */
  | 'crash'
  /** Delivers nothing and does not end. */
  | 'hang'
  /** The same, and shows a sign of life several times a second. */
  | 'chatter'
  /** Can not even be started: its `start` is to reject. */
  | 'refuse';

/** The part that a briefing of the kits asks its worker to play. */
export interface Part {
  readonly behaviour: Behaviour;
  /** What it delivers, word for word; a JSON text, but for `garbage`. Empty where it delivers nothing. */
  readonly reply: string;
}

/** A part as a briefing: one word, a line feed, and the reply. A shell reads it with `read -r part; reply=$(cat)`. */
export const briefingOf = ({ behaviour, reply }: Part): string => `${behaviour}\n${reply}`;

/** What a briefing of the kits says. */
export function partOf(briefing: string): Part {
  const end = briefing.indexOf('\n');
  return { behaviour: briefing.slice(0, end) as Behaviour, reply: briefing.slice(end + 1) };
}

/** A reply as something that holds values and no text hands it over; what is no JSON comes as its text. */
export function replyOf({ reply }: Part): unknown {
  try {
    return JSON.parse(reply);
  } catch {
    return reply;
  }
}
