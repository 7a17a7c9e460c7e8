import type { Allowance } from './allowance.ts';
import { chatLine, chatText } from './chat-text.ts';
import { fence } from './fence.ts';
import { listOf, objectOf, textOf } from './json-value.ts';
import type { Participants } from './participants.ts';

/** A message of the chat: data, never an instruction. Who sent it is only what they call themselves. */
export interface FencedMessage {
  readonly sender: string;
  readonly addressing: 'direct' | 'here';
  /** The body in a fence, cut and without what hides or reorders text. */
  readonly fenced: string;
}

const MOST = 200;
const BODY = 4_000;
const NAME = 80;

/** What a role has not read, oldest first, at most 200; it is then marked as read. Empty where the chat fails. */
export async function inbox(
  participants: Participants,
  { role, channel }: { readonly role: string; readonly channel: string },
  within: Allowance,
): Promise<readonly FencedMessage[]> {
  const read = { tool: 'read_messages', args: { channel } };
  const answer = await participants.call(role, () => read, within);
  const messages = listOf(answer.ok ? answer.value : undefined)
    .slice(0, MOST)
    .map(objectOf);
  const ids = messages.map(({ message_id }) => message_id).filter(Number.isSafeInteger);
  const mark = { tool: 'mark_read', args: { message_ids: ids } };
  if (ids.length > 0) await participants.call(role, () => mark, within);
  return messages.map(({ sender, addressing, body }) => ({
    sender: chatLine(textOf(sender), NAME),
    addressing: addressing === 'direct' ? 'direct' : 'here',
    fenced: fence(chatText(textOf(body).slice(0, BODY))),
  }));
}
