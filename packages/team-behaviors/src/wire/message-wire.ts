import type { MessageType } from './message-type.ts';

/** What a message is for. Privileged ones are replies with a type. */
export const WIRE_KINDS = ['spawn', 'reply', 'shutdown_req', 'shutdown_resp', 'heartbeat'] as const;

export type WireKind = (typeof WIRE_KINDS)[number];

/** The longest payload that a wire takes, in UTF-8 bytes. */
export const MAX_BODY_BYTES = 1_048_576;

/** A message to one recipient. There is no broadcast: who speaks to many sends to each. */
export interface OutgoingMessage {
  readonly teamId: string;
  readonly recipient: string;
  readonly senderId: string;
  readonly kind: WireKind;
  readonly payload: string;
  readonly mtype?: MessageType;
  readonly meetingId?: string;
  /** Which message of its meeting, from 1; the same for every recipient. */
  readonly turn?: number;
  /** 26 characters of Crockford's base 32, once per team. */
  readonly idempotencyKey?: string;
  /** A `seq` of the same recipient. */
  readonly causalRef?: number;
}

export interface SentMessage {
  readonly recipient: string;
  /** Per team and recipient, from 1, without a gap. */
  readonly seq: number;
  /** The key was known: the first message stands, and this one was not stored. */
  readonly deduped: boolean;
}

/** A message of a meeting as it is stored. */
export interface WireRow {
  /** Grows with every message of the wire. */
  readonly id: number;
  readonly seq: number;
  readonly recipient: string;
  readonly senderId: string;
  readonly mtype: MessageType | null;
  readonly meetingId: string | null;
  readonly turn: number | null;
  readonly idempotencyKey: string | null;
  readonly causalRef: number | null;
  /** Whole, wherever it is kept; null when it is lost or no longer what was sent. Untrusted. */
  readonly payload: string | null;
  /** ISO 8601, UTC, milliseconds. */
  readonly createdAt: string;
}

/** The append-only messages of all teams. Each call is one transaction; what can not be written throws. */
export interface MessageWire {
  /** All of them or none, in this order. */
  sendAll(messages: readonly OutgoingMessage[]): readonly SentMessage[];
  /** Oldest first, by `id`, and only those after `afterId`. */
  messages(query: {
    readonly teamId: string;
    readonly meetingId?: string;
    readonly mtype?: MessageType;
    readonly afterId?: number;
  }): readonly WireRow[];
}
