import type { Allowance } from './allowance.ts';
import { baseName } from './base-name.ts';
import type { Identities } from './identities.ts';
import type { Line } from './line.ts';
import { signOff } from './sign-off.ts';
import { assignedName, membersOf } from './tool-values.ts';

export interface TeardownResult {
  readonly transport: 'loom' | 'bridge';
  /** Every name that was to be signed off, in order. */
  readonly attempted: readonly string[];
  /** Those that are signed off now, or that are not this run's any more. */
  readonly deregistered: readonly string[];
  /** The attempted ones that are a role with a number behind. */
  readonly variantsAttempted: readonly string[];
  readonly variantsDeregistered: readonly string[];
}

interface Hall {
  readonly line: Line;
  readonly identities: Identities;
  readonly channel: string;
  /** The lead first. */
  readonly roles: readonly string[];
}

/**
 * Signs off every name of this run and ends its sessions. The chat lets anyone sign off anyone, so nothing is guessed:
 * a name with a session speaks for itself, and one without is signed off only as a member of this run's own channel,
 * never as a suffix that might be another run's.
 */
export async function teardown(hall: Hall, within: Allowance): Promise<TeardownResult> {
  const { line, identities, roles } = hall;
  const attempted = new Set<string>();
  const gone = new Set<string>();
  const sessions: string[] = [];
  const byRole = identities
    .speaking()
    .toSorted((a, b) => roles.indexOf(a.role) - roles.indexOf(b.role));
  let speaker: string | undefined;
  for (const identity of byRole) {
    attempted.add(identity.assignedName);
    sessions.push(identity.session);
    const answer = await signOff(hall, identity, within);
    if (!answer.ok) continue;
    gone.add(identity.assignedName);
    // Signing off ends neither the session nor what it may do; a name that was not there has nothing to say.
    if (answer.value !== undefined) speaker ??= identity.session;
  }
  if (sessions.length > 0 || identities.orphans().length > 0) {
    const own = await speakerOf(speaker);
    if (own !== undefined) await signOffSilent(own);
  }
  for (const session of sessions) await line.close(session, within);

  const variants = (names: Set<string>) => [...names].filter((name) => !roles.includes(name));
  return {
    transport: 'loom',
    attempted: [...attempted],
    deregistered: [...gone],
    variantsAttempted: variants(attempted),
    variantsDeregistered: variants(gone),
  };

  /** A session to look around with; it need not be registered for that. */
  async function speakerOf(known: string | undefined) {
    if (known !== undefined) return { session: known, registered: true };
    const opened = await line.open(within);
    if (!opened.ok) return undefined;
    sessions.push(opened.value.id);
    return { session: opened.value.id, registered: false };
  }

  async function signOffSilent(by: { session: string; registered: boolean }): Promise<void> {
    const { session } = by;
    const listed = await line.tool(session, { tool: 'list_channels', args: {} }, within);
    const members = listed.ok ? membersOf(listed.value, hall.channel) : [];
    const orphans = identities.orphans();
    const names = members.filter(
      (name) => orphans.includes(name) || (baseName(name, roles) !== undefined && !gone.has(name)),
    );
    if (names.length > 0 && !by.registered) {
      // Only who is registered may sign others off, so one more name comes, and goes last.
      const call = { tool: 'register', args: { name: roles[0] } };
      const answer = await line.tool(session, call, within);
      const own = answer.ok ? assignedName(answer.value) : undefined;
      if (own === undefined) return;
      names.push(own);
    }
    for (const name of names) {
      attempted.add(name);
      const call = { tool: 'deregister', args: { name } };
      const answer = await line.tool(session, call, within);
      if (!answer.ok && answer.error.code !== 'AGENT_NOT_FOUND') continue;
      gone.add(name);
      identities.buried(name);
    }
  }
}
