import { jsonObject } from '../../json-lines.ts';
import { lineReader, markedLines } from '../marked-lines.ts';

/** What the event lines of one call amount to. Texts are untrusted. */
export interface Turn {
  /** How many turns ended well; one belongs. */
  readonly completed: number;
  /** The usage of the last one that ended well. */
  readonly usage: unknown;
  /** The agent's last message before that. */
  readonly message: string | undefined;
  /** The program's own word on why the turn failed; undefined when it did not say that one did. */
  readonly failure: string | undefined;
}

/** The kinds of lines that count. In the text of another line the quotes are escaped. */
const COUNTS = /"(?:turn\.completed|turn\.failed|agent_message|error)"/g;

/** What the program says while it tries again. */
const RETRIES = /^Reconnecting\.\.\. /;

/**
 * Reads the events that a program printed, one JSON object a line; any other line is passed over. Never throws. Of the
 * agent's messages only the last one is kept, and none of them is looked at for errors.
 */
export function readTurn(stdout: string): Turn {
  let completed = 0;
  let usage: unknown;
  let latest: string | undefined;
  let message: string | undefined;
  let failure: string | undefined;
  let complaint: string | undefined;
  const read = lineReader();
  for (const line of markedLines(stdout, COUNTS)) {
    const event = read(line);
    switch (event?.['type']) {
      case 'item.completed':
        latest = messageIn(event['item']) ?? latest;
        break;
      case 'turn.completed':
        completed += 1;
        message = latest;
        usage = event['usage'];
        break;
      case 'turn.failed':
        failure = textIn(event['error']) ?? '';
        break;
      case 'error':
        complaint = complaintIn(event) ?? complaint;
        break;
      default:
    }
  }
  // A failure before any turn is told by an event of its own.
  return {
    completed,
    usage,
    message,
    failure: failure ?? (completed === 0 ? complaint : undefined),
  };
}

/** The reply of a call that ended well: its whole last message, if that is one JSON object. */
export function replyOf({ completed, failure, message }: Turn): unknown {
  if (completed !== 1 || failure !== undefined || message === undefined) return undefined;
  return jsonObject(message.trim());
}

function complaintIn(event: unknown): string | undefined {
  const text = textIn(event);
  return text === undefined || RETRIES.test(text) ? undefined : text;
}

const messageIn = (item: unknown): string | undefined =>
  fieldOf(item, 'type') === 'agent_message' ? stringOf(fieldOf(item, 'text')) : undefined;

const textIn = (value: unknown): string | undefined => stringOf(fieldOf(value, 'message'));

const stringOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
