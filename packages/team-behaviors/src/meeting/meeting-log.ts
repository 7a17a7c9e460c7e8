import type { JsonObject } from '../json-object.ts';
import { decodeMessage, type MessageType } from '../wire/message-type.ts';
import type { MessageWire, WireRow } from '../wire/message-wire.ts';

/** One message of a meeting, however many it was sent to. */
export interface Turn {
  readonly turn: number;
  readonly type: MessageType;
  readonly senderId: string;
  /** The turn that it answers, if it says so. */
  readonly replyTo: number | null;
  /** What was said; null where the wire has lost it. Untrusted. */
  readonly body: JsonObject | null;
  /** ISO 8601, of its first row. */
  readonly at: string;
}

/** A meeting as its messages tell it: nothing about it is kept elsewhere, so a new process knows what the last one did. */
export interface MeetingLog {
  /** Takes in what was written since. */
  refresh(): void;
  /** By turn, then in the order of writing. */
  readonly turns: readonly Turn[];
  /** The turn under which a key of this meeting was stored. */
  turnOfKey(key: string): number | undefined;
  /** The `seq` of a turn in the inbox of one recipient. */
  seqOf(turn: number, recipient: string): number | undefined;
}

export const REPLY_TO_KEY = '_reply_to_turn';

export function meetingLog(
  wire: MessageWire,
  which: { readonly teamId: string; readonly meetingId: string },
): MeetingLog {
  const turns = new Map<string, Turn>();
  const byKey = new Map<string, number>();
  const seqs = new Map<string, number>();
  let lastId = 0;
  let sorted: readonly Turn[] = [];
  const take = (row: WireRow): void => {
    lastId = Math.max(lastId, row.id);
    const { turn, mtype, senderId, recipient, payload, idempotencyKey } = row;
    if (turn === null || mtype === null) return;
    if (idempotencyKey !== null) byKey.set(idempotencyKey, turn);
    seqs.set(JSON.stringify([turn, recipient]), row.seq);
    // Two processes may take one turn: what differs is told apart, what does not is one message.
    const name = JSON.stringify([turn, senderId, mtype, payload]);
    if (!turns.has(name)) turns.set(name, turnOf(row, turn, mtype));
  };
  return {
    refresh() {
      const rows = wire.messages({ ...which, afterId: lastId });
      for (const row of rows) take(row);
      if (rows.length > 0) sorted = [...turns.values()].sort((one, other) => one.turn - other.turn);
    },
    get turns() {
      return sorted;
    },
    turnOfKey: (key) => byKey.get(key),
    seqOf: (turn, recipient) => seqs.get(JSON.stringify([turn, recipient])),
  };
}

function turnOf(row: WireRow, turn: number, type: MessageType): Turn {
  const body = decodeMessage(row)?.body ?? null;
  const replyTo = body?.[REPLY_TO_KEY];
  return {
    turn,
    type,
    senderId: row.senderId,
    replyTo: typeof replyTo === 'number' ? replyTo : null,
    body: body && Object.fromEntries(Object.entries(body).filter(([key]) => !key.startsWith('_'))),
    at: row.createdAt,
  };
}
