import type { Allowance } from './allowance.ts';
import { chatText } from './chat-text.ts';
import { countFailure, type Tally } from './counters.ts';
import type { Identities } from './identities.ts';
import type { LoomResult } from './loom-result.ts';
import type { Participants } from './participants.ts';
import type { Roster } from './roster.ts';
import { spill } from './spill.ts';
import { recipientsOf } from './tool-values.ts';

/** Everyone in the channel but the sender. */
export const EVERYONE = '@here';

/** What became of one message. */
export interface PostResult {
  readonly transport: 'loom' | 'bridge';
  /** At least one recipient has it. */
  readonly delivered: boolean;
  readonly recipients: number;
  /** Why nobody has it. */
  readonly code?: string;
  /** The file that the message points to, where it was too long. */
  readonly spilled?: string;
}

/** What sending needs to know of its run. */
export interface PostRoom {
  readonly runId: string;
  readonly root: string;
  readonly channel: string;
  readonly maxBody: number;
  readonly participants: Participants;
  readonly identities: Identities;
  readonly roster: Roster;
  readonly tally: Tally;
}

export interface Post {
  readonly role: string;
  /** A role of the run, or `@here`. */
  readonly to: string;
  readonly text: string;
  /** What a file is named after, should it be needed. */
  readonly title: string;
}

/** Sends one message as a role; what is too long goes to a file, and a pointer to it is sent. Counts what it did. */
export async function post(room: PostRoom, what: Post, within: Allowance): Promise<PostResult> {
  const { tally, roster } = room;
  if (!roster.has(what.role) || (what.to !== EVERYONE && !roster.has(what.to)))
    return unsent(tally, 'UNKNOWN_ROLE');
  const body = await bodyOf(room, what);
  if (!body) return unsent(tally, 'BODY_TOO_LONG');
  const answer = await send(room, { ...what, text: body.text }, within);
  if (!answer.ok) return unsent(tally, answer.error.code);
  const spilled = body.path === undefined ? {} : { spilled: body.path };
  if (body.path !== undefined) tally.spilled++;
  const recipients = recipientsOf(answer.value).length;
  if (recipients === 0) return { ...unsent(tally, 'NO_RECIPIENT'), ...spilled };
  tally.attempted++;
  tally.delivered++;
  return { transport: 'loom', delivered: true, recipients, ...spilled };
}

/** A message that nobody has, counted. */
export function unsent(tally: Tally, code: string): PostResult {
  tally.attempted++;
  countFailure(tally, code);
  return { transport: 'loom', delivered: false, recipients: 0, code };
}

/** Undefined where not even a pointer can be sent. */
async function bodyOf(
  { root, runId, maxBody }: PostRoom,
  { text, title }: Post,
): Promise<{ text: string; path?: string } | undefined> {
  const clean = chatText(text);
  // As the server counts: UTF-16 units.
  if (clean.length <= maxBody) return { text: clean };
  const file = spill({ root, runId, title, text: clean });
  const pointer = `Too long for the chat; the whole text is in ${file.path}`;
  if (pointer.length > maxBody || !(await file.write())) return undefined;
  return { text: pointer, path: file.path };
}

async function send(
  { channel, participants, identities }: PostRoom,
  { role, to, text }: Post,
  within: Allowance,
): Promise<LoomResult<unknown>> {
  const call = () =>
    participants.call(
      role,
      () => {
        const name = to === EVERYONE ? to : (identities.of(to)?.assignedName ?? to);
        return { tool: 'send_message', args: { channel, to: name, body: text } };
      },
      within,
    );
  const first = await call();
  if (first.ok || to === EVERYONE || first.error.code !== 'RECIPIENT_NOT_MEMBER') return first;
  // The recipient's session is ours too, so it is joined again; a list of members would only show that it is not.
  const back = await participants.rejoin(to, within);
  return back.ok ? call() : first;
}
