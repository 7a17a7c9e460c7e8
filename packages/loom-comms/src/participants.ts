import type { Allowance } from './allowance.ts';
import type { Identities, Identity } from './identities.ts';
import type { Line } from './line.ts';
import { done, failed, type LoomError, type LoomResult } from './loom-result.ts';
import { assignedName } from './tool-values.ts';

/** The roles of a run in the chat, each with a session of its own: a session that registers twice strands a name. */
export interface Participants {
  /** The role, registered and joined; it is made so where it is not. */
  ensure(role: string, within: Allowance): Promise<LoomResult<Identity>>;
  /** Calls a tool as a role. A lost identity or membership is restored, and the call made once more. */
  call(
    role: string,
    call: (identity: Identity) => { readonly tool: string; readonly args: object },
    within: Allowance,
  ): Promise<LoomResult<unknown>>;
  /** Joins again, as the same name where its session lives and under a new one where it does not. */
  rejoin(
    role: string,
    within: Allowance,
  ): Promise<LoomResult<{ reregistered: boolean } & Identity>>;
}

interface Options {
  readonly line: Line;
  readonly identities: Identities;
  readonly channel: string;
  readonly lead: string;
  /** How many sessions there may be. */
  readonly most: number;
}

export function participants({ line, identities, channel, lead, most }: Options): Participants {
  /** Forgets an identity whose session or row is not there any more; false where it is another trouble. */
  async function lost(identity: Identity, error: LoomError, within: Allowance): Promise<boolean> {
    if (error.kind === 'rpc' && error.code === '-32000') {
      // The name stays behind, shown as active.
      identities.drop(identity.role, 'lost');
      return true;
    }
    if (error.code !== 'NOT_REGISTERED') return false;
    // The row was removed, so the name may be another's by now.
    identities.drop(identity.role, 'gone');
    await line.close(identity.session, within);
    return true;
  }

  async function register(role: string, within: Allowance): Promise<LoomResult<Identity>> {
    if (identities.speaking().length >= most)
      return failed('closed', 'SESSION_LIMIT', `a run has at most ${most} sessions`);
    const opened = await line.open(within);
    if (!opened.ok) return opened;
    const session = opened.value.id;
    const answer = await line.tool(session, { tool: 'register', args: { name: role } }, within);
    const name = answer.ok ? assignedName(answer.value) : undefined;
    if (name === undefined) {
      await line.close(session, within);
      return answer.ok ? failed('rpc', 'MALFORMED', 'the chat gave no name') : answer;
    }
    const identity = { role, assignedName: name, session, joined: false };
    identities.put(identity);
    return done(identity);
  }

  async function join(identity: Identity, within: Allowance): Promise<LoomResult<Identity>> {
    const { role, session } = identity;
    const enter = () => line.tool(session, { tool: 'join_channel', args: { channel } }, within);
    let answer = await enter();
    if (!answer.ok && answer.error.code === 'CHANNEL_NOT_FOUND') {
      answer = await (role === lead ? create(session, within) : restored(enter, within));
    }
    if (!answer.ok) return answer;
    const joined = { ...identity, joined: true };
    identities.put(joined);
    return done(joined);
  }

  async function create(session: string, within: Allowance): Promise<LoomResult<unknown>> {
    const made = await line.tool(
      session,
      { tool: 'create_channel', args: { name: channel } },
      within,
    );
    if (made.ok || made.error.code !== 'CHANNEL_EXISTS') return made;
    return line.tool(session, { tool: 'join_channel', args: { channel } }, within);
  }

  /** The channel is the lead's to make; after a purge it finds out only when it is asked. */
  async function restored(
    enter: () => Promise<LoomResult<unknown>>,
    within: Allowance,
  ): Promise<LoomResult<unknown>> {
    const led = await rejoin(lead, within);
    return led.ok ? enter() : led;
  }

  async function ensure(role: string, within: Allowance): Promise<LoomResult<Identity>> {
    const known = identities.of(role);
    if (known?.joined) return done(known);
    if (known) {
      const joined = await join(known, within);
      if (joined.ok || !(await lost(known, joined.error, within))) return joined;
    }
    const registered = await register(role, within);
    return registered.ok ? join(registered.value, within) : registered;
  }

  async function rejoin(
    role: string,
    within: Allowance,
  ): Promise<LoomResult<{ reregistered: boolean } & Identity>> {
    const before = identities.of(role);
    if (before) identities.put({ ...before, joined: false });
    const now = await ensure(role, within);
    if (!now.ok) return now;
    const reregistered = now.value.assignedName !== before?.assignedName;
    return done({ ...now.value, reregistered });
  }

  return {
    ensure,
    rejoin,
    async call(role, call, within) {
      const identity = await ensure(role, within);
      if (!identity.ok) return identity;
      const { session } = identity.value;
      const first = await line.tool(session, call(identity.value), within);
      if (first.ok) return first;
      if (['NOT_A_MEMBER', 'CHANNEL_NOT_FOUND'].includes(first.error.code))
        identities.put({ ...identity.value, joined: false });
      else if (!(await lost(identity.value, first.error, within))) return first;
      const again = await ensure(role, within);
      return again.ok ? line.tool(again.value.session, call(again.value), within) : again;
    },
  };
}
