import type { Allowance } from './allowance.ts';
import type { Identities } from './identities.ts';
import type { Line } from './line.ts';
import type { Participants } from './participants.ts';

/** Shows that every session lives. One that was ended meanwhile is replaced, once, under a new name. */
export async function pingAll(
  parts: { readonly line: Line; readonly identities: Identities; readonly team: Participants },
  within: Allowance,
): Promise<void> {
  const { line, identities, team } = parts;
  for (const { role, session } of identities.speaking()) {
    const answer = await line.ping(session, within);
    if (answer.ok || answer.error.code !== '-32000') continue;
    identities.drop(role, 'lost');
    await team.ensure(role, within);
  }
}
