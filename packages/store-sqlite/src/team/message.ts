import { printable } from '@atelier/envelope';
import { StoreError } from '../error.ts';
import { givenName } from './given.ts';

/** What a message is for. */
export const WIRE_KINDS = ['spawn', 'reply', 'shutdown_req', 'shutdown_resp', 'heartbeat'] as const;

export type WireKind = (typeof WIRE_KINDS)[number];

/** What a reply means to the host. In a column of its own: nothing that a payload says makes a message one of these. */
export const MESSAGE_TYPES = [
  'team_meeting',
  'persona_gap',
  'persona_gap_escalation',
  'propose_role',
  'propose_role_ack',
  'meeting_done',
  'meeting_failure_postmortem',
] as const;

export type MessageType = (typeof MESSAGE_TYPES)[number];

/** A message to one recipient. There is no broadcast: who speaks to many sends to each. */
export interface OutgoingMessage {
  readonly teamId: string;
  readonly recipient: string;
  readonly senderId: string;
  readonly kind: WireKind;
  /** At most 1 MiB as UTF-8. */
  readonly payload: string;
  /** Of a reply only. */
  readonly mtype?: MessageType;
  /** With `turn`. */
  readonly meetingId?: string;
  /** Which message of its meeting, from 1. */
  readonly turn?: number;
  /** 26 characters of Crockford's base 32, upper case. A team sends it once. */
  readonly idempotencyKey?: string;
  /** The `seq` of an earlier message to the same recipient. */
  readonly causalRef?: number;
  readonly wave?: number;
}

/** UTF-8 bytes. */
const LONGEST_BODY: number = 1_048_576;

const KEY = /^[0-9A-HJKMNP-TV-Z]{26}$/u;

/**
 * Throws what can be known of a message without looking at the store, in this order: `STORE_BAD_MESSAGE` for its kind
 * and type, then its key, then `STORE_MESSAGE_TOO_LARGE`.
 */
export function assertMessage(message: OutgoingMessage): void {
  const { kind, mtype, meetingId, turn, idempotencyKey, payload } = message;
  if (!WIRE_KINDS.includes(kind)) throw bad('its kind', kind, WIRE_KINDS.join(', '));
  if (mtype !== undefined && !(kind === 'reply' && MESSAGE_TYPES.includes(mtype)))
    throw bad('its type', mtype, `a reply with one of ${MESSAGE_TYPES.join(', ')}`);
  if (meetingId !== undefined) givenName(meetingId, 'a meeting id');
  if ((meetingId === undefined) !== (turn === undefined) || !isCount(turn ?? 1))
    throw bad('its turn', turn, 'a whole number from 1 on, with its meeting');
  if (!isCount((message.wave ?? 0) + 1)) throw bad('its wave', message.wave, 'a whole number');
  if (idempotencyKey !== undefined && !KEY.test(idempotencyKey))
    throw bad('its key', idempotencyKey, "26 characters of Crockford's base 32");
  if (Buffer.byteLength(payload) > LONGEST_BODY) throw tooLarge();
}

/** A field of a message that can not be what it is. */
export const bad = (what: string, value: unknown, wanted: string): StoreError =>
  new StoreError(
    'STORE_BAD_MESSAGE',
    `the message can not be sent: ${what} is ${printable(value, 60)}`,
    `Nothing was written. Wanted: ${wanted}.`,
  );

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 1;

const tooLarge = (): StoreError =>
  new StoreError(
    'STORE_MESSAGE_TOO_LARGE',
    `the message can not be sent: it is over ${LONGEST_BODY} bytes`,
    'Nothing was written. Send a summary, and say where the rest is.',
  );
