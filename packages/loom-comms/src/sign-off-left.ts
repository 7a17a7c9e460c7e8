import type { Allowance } from './allowance.ts';
import type { Participants } from './participants.ts';
import { membersOf } from './tool-values.ts';

/** Names that a run whose host is dead may have left in its channel. */
export interface LeftNames {
  readonly channel: string;
  readonly names: readonly string[];
}

/** A name that is signed off, or that its channel does not have any more. */
export interface GoneName {
  readonly channel: string;
  readonly name: string;
}

/** What a tool says that counts as trouble with its server. */
const BROKEN: ReadonlySet<string> = new Set(['INTERNAL_ERROR', 'MALFORMED']);

interface Hall {
  readonly participants: Participants;
  readonly lead: string;
}

/**
 * Signs off what other runs have left, as the lead. The chat lets anyone sign off anyone, and another server, or a chat
 * that was wiped, may have other people under these names: so each only as a member of its own run's channel. Of a
 * channel that is not there nothing is known.
 */
export async function signOffLeft(
  { participants, lead }: Hall,
  left: readonly LeftNames[],
  within: Allowance,
): Promise<readonly GoneName[]> {
  const ask = (tool: string, args: object) =>
    participants.call(lead, () => ({ tool, args }), within);
  const listed = await ask('list_channels', {});
  if (!listed.ok) return [];
  const gone: GoneName[] = [];
  for (const { channel, names } of left) {
    const members = membersOf(listed.value, channel);
    for (const name of members.length === 0 ? [] : names) {
      const answer = members.includes(name) ? await ask('deregister', { name }) : listed;
      // Others' names are not worth the chat of this run: one trouble with the server is enough.
      if (!answer.ok && (answer.error.kind !== 'tool' || BROKEN.has(answer.error.code)))
        return gone;
      if (answer.ok || answer.error.code === 'AGENT_NOT_FOUND') gone.push({ channel, name });
    }
  }
  return gone;
}
