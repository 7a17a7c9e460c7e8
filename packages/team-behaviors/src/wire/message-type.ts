import { isObject, type JsonObject, parseJsonObject } from '../json-object.ts';
import { TeamError } from '../team-error.ts';
import { pythonJson } from './python-json.ts';

/** The messages that mean something to the host. The set is closed. */
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

/** The key that tells the type inside a payload. Bodies may not bring it along. */
const TYPE_KEY = '_mtype';

/** A typed message, read. Its type decides nothing by itself: only rows of the ledger do. */
export interface TypedMessage {
  readonly type: MessageType;
  /** Without the type. Untrusted. */
  readonly body: JsonObject;
}

/**
 * A body as payload: keys sorted, ASCII only, the type among the keys. Throws `WIRE_UNKNOWN_TYPE`, or
 * `WIRE_INVALID_BODY` for what is no object, can not be JSON, or forges a type.
 */
export function encodeMessage(type: MessageType, body: JsonObject): string {
  if (!isMessageType(type))
    throw new TeamError('WIRE_UNKNOWN_TYPE', 'there is no such message type', knownTypes());
  if (!isObject(body) || Object.hasOwn(body, TYPE_KEY))
    throw new TeamError(
      'WIRE_INVALID_BODY',
      `a body is an object without a key ${TYPE_KEY}`,
      'Name the type in the first argument; the key is set from it.',
    );
  return pythonJson({ ...body, [TYPE_KEY]: type });
}

/**
 * A stored message as what it is; null for an ordinary one. The type comes from its column: a text that only looks
 * like a typed message is none, and one whose text tells another type than its column is none either.
 */
export function decodeMessage({
  mtype,
  payload,
}: {
  readonly mtype: string | null;
  readonly payload: string | null;
}): TypedMessage | null {
  if (!isMessageType(mtype) || payload === null) return null;
  const parsed = parseJsonObject(payload);
  if (!parsed || !Object.hasOwn(parsed, TYPE_KEY) || parsed[TYPE_KEY] !== mtype) return null;
  return {
    type: mtype,
    body: Object.fromEntries(Object.entries(parsed).filter(([key]) => key !== TYPE_KEY)),
  };
}

const isMessageType = (type: unknown): type is MessageType =>
  MESSAGE_TYPES.some((known) => known === type);

const knownTypes = (): string => `Use one of ${MESSAGE_TYPES.join(', ')}.`;
