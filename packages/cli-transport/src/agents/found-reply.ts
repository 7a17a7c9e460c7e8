import { isDeepStrictEqual } from 'node:util';
import type { WorkOrder } from '@atelier/engine';
import type { AgentOutput } from '../agent.ts';
import { jsonObject, jsonObjectLines } from '../json-lines.ts';

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
  return reply ? { kind: 'reply', reply } : none('its reply file does not hold one JSON object');
}

function inStdout({ stdout }: AgentOutput): Said {
  let last: Record<string, unknown> | undefined;
  for (const object of jsonObjectLines(stdout)) {
    if (object['type'] !== 'task_result') continue;
    if (last && !isDeepStrictEqual(last, object))
      return none('it printed two different results; which one counts can not be told');
    last = object;
  }
  return last
    ? { kind: 'reply', reply: last }
    : none('it left no reply file and printed no result');
}

const none = (detail: string): Said => ({ kind: 'none', detail });
