import type { WorkOrder } from '@atelier/engine';
import type { AgentOutput } from '../agent.ts';
import { jsonObject, objectTexts } from '../json-lines.ts';

/** What a `command` agent's program has said so far. */
export type FoundReply =
  | { readonly kind: 'reply'; readonly reply: unknown }
  | { readonly kind: 'none'; readonly detail: string };

/**
 * The reply file counts when there is one; else the result lines of standard output, which must all say the
 * same. A reply that carries a nonce must carry that of this attempt; it is taken out.
 */
export function foundReply(output: AgentOutput, { nonce }: WorkOrder): FoundReply {
  const said = output.replyText === undefined ? inStdout(output) : inFile(output.replyText);
  if (said.kind === 'none') return said;
  if (!Object.hasOwn(said.reply, 'nonce')) return said;
  const { nonce: echoed, ...reply } = said.reply;
  return echoed === nonce
    ? { kind: 'reply', reply }
    : { kind: 'none', detail: 'its reply carries the nonce of another attempt' };
}

type Said =
  | { readonly kind: 'reply'; readonly reply: Record<string, unknown> }
  | { readonly kind: 'none'; readonly detail: string };

function inFile(text: string): Said {
  const reply = jsonObject(text);
  return reply
    ? { kind: 'reply', reply }
    : none('its reply file does not hold one JSON object, nested at most 500 deep');
}

/** Told from the text, so that a line about something else is not parsed. */
const LOOKS_LIKE_RESULT = /"type"[ \t]*:[ \t]*"task_result"/;

/** Lines that look like a result; a program has one result to tell, perhaps more than once. */
const MOST_LINES = 16;

/** In characters, of all such lines that differ: twice the longest line that is read. */
const MOST_TEXT = 2 * 1024 * 1024;

function inStdout({ stdout }: AgentOutput): Said {
  const texts = resultTexts(stdout);
  if (texts === undefined)
    return none(
      `it printed too many replies: lines that look like a result may be ${MOST_LINES} at most, and 2 MiB`,
    );
  let first: string | undefined;
  let last: Record<string, unknown> | undefined;
  for (const text of texts) {
    const object = jsonObject(text);
    if (object?.['type'] !== 'task_result') continue;
    if (last) {
      first ??= canonical(last);
      if (first !== canonical(object))
        return none('it printed two different results; which one counts can not be told');
    }
    last = object;
  }
  return last
    ? { kind: 'reply', reply: last }
    : none('it left no reply file and printed no result');
}

/** Each text once; undefined when there are too many to parse. */
function resultTexts(stdout: string): ReadonlySet<string> | undefined {
  const texts = new Set<string>();
  let lines = 0;
  let length = 0;
  for (const text of objectTexts(stdout, '"task_result"')) {
    if (!LOOKS_LIKE_RESULT.test(text)) continue;
    lines += 1;
    if (!texts.has(text)) length += text.length;
    if (lines > MOST_LINES || length > MOST_TEXT) return undefined;
    texts.add(text);
  }
  return texts;
}

/** The same text for values that differ in the order of keys only. Expects what `jsonObject` gave, which is not deep. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== 'object' || value === null)
    return typeof value === 'string' ? JSON.stringify(value) : String(value);
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonical(field)}`).join()}}`;
}

const none = (detail: string): Said => ({ kind: 'none', detail });
