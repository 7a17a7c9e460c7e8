import type { Allowance } from './allowance.ts';
import { chatLine } from './chat-text.ts';
import type { LoomClock } from './clock.ts';
import { countersOf } from './counters.ts';
import { inbox } from './inbox.ts';
import { keepalive } from './keepalive.ts';
import { kickoff } from './kickoff.ts';
import type { Line } from './line.ts';
import { failed, type LoomResult } from './loom-result.ts';
import type { LoomRun, ParticipantResult } from './loom-run.ts';
import { pingAll } from './ping-all.ts';
import { EVERYONE, type Post, type PostRoom, post, unsent } from './post.ts';
import { signOff } from './sign-off.ts';
import { signOffLeft } from './sign-off-left.ts';
import { type TeardownResult, teardown } from './teardown.ts';
import type { Turns } from './turns.ts';
import { unavailableRun } from './unavailable-run.ts';

/** The parts that a run's chat is put together from. */
interface Parts {
  readonly room: PostRoom;
  readonly line: Line;
  readonly turns: Turns;
  readonly clock: LoomClock;
  readonly keepaliveMs: number;
  /** The chat was given up. */
  readonly isOff: () => boolean;
}

/** What happens to a role: the name it has, and whether that is a new one. */
interface Standing {
  readonly assignedName: string;
  readonly reregistered: boolean;
}

export function liveRun({ room, line, turns, clock, keepaliveMs, isOff }: Parts): LoomRun {
  const { channel, roster, identities, participants: team, maxBody } = room;
  let beating: Promise<void> | undefined;
  let tornDown: Promise<TeardownResult> | undefined;

  async function turn<T>(work: (within: Allowance) => Promise<T>): Promise<T | undefined> {
    const ended = await turns.take(work);
    if (identities.speaking().length > 0) beating ??= keepAlive();
    return ended;
  }

  const keepAlive = () =>
    keepalive({
      clock,
      everyMs: keepaliveMs,
      signal: turns.ending,
      beat: async () => {
        await turns.take((within) => pingAll({ line, identities, team }, within));
        return isOff() ? 'enough' : 'on';
      },
    }).catch(() => undefined);

  async function stand(
    role: string,
    work: (within: Allowance) => Promise<LoomResult<Standing>>,
  ): Promise<ParticipantResult> {
    const known = roster.has(role);
    const ended = known ? await turn(work) : failed('closed', 'UNKNOWN_ROLE', 'not of this run');
    if (ended?.ok) {
      const { assignedName, reregistered } = ended.value;
      return { transport: 'loom', role, ok: true, assignedName, reregistered };
    }
    const code = ended?.error.code ?? 'NOT_TAKEN';
    return { transport: 'loom', role, ok: false, reregistered: false, code };
  }

  const rejoin = (role: string) => stand(role, (within) => team.rejoin(role, within));

  async function leave(role: string, within: Allowance): Promise<LoomResult<Standing>> {
    const identity = identities.of(role);
    if (!identity) return failed('closed', 'NOT_THERE', 'it has no name in the chat');
    const { assignedName, session } = identity;
    const answer = await signOff({ line, identities }, identity, within);
    await line.close(session, within);
    return answer.ok ? { ok: true, value: { assignedName, reregistered: false } } : answer;
  }

  const say = async (what: Post) =>
    (await turn((within) => post(room, what, within))) ?? unsent(room.tally, 'NOT_TAKEN');

  async function end(): Promise<TeardownResult> {
    const ended = await turns.end((within) =>
      teardown({ line, identities, channel, roles: roster.all() }, within),
    );
    await beating;
    return ended ?? unavailableRun(channel).teardown();
  }

  const endOnce = () => {
    tornDown ??= end();
    return tornDown;
  };

  return {
    available: true,
    channel,
    kickoff: async (goals) =>
      (await turn((within) => kickoff(room, goals, within))) ??
      unavailableRun(channel).kickoff(goals),
    invite: (role) => {
      roster.add(role);
      return rejoin(role);
    },
    rejoin,
    deregister: (role) => stand(role, (within) => leave(role, within)),
    say: (role, to, text) => say({ role, to, text, title: `${role}-to-${to}` }),
    announce: (text) => say({ role: roster.lead, to: EVERYONE, text, title: 'announcement' }),
    relay: (role, taskId, text) =>
      say({ role, to: EVERYONE, text: chatLine(`${taskId}: ${text}`, maxBody), title: taskId }),
    inbox: async (role) => {
      if (!roster.has(role)) return [];
      return (await turn((within) => inbox(team, { role, channel }, within))) ?? [];
    },
    signOffLeft: async (left) => {
      if (left.length === 0) return [];
      const hall = { participants: team, lead: roster.lead };
      return (await turn((within) => signOffLeft(hall, left, within))) ?? [];
    },
    teardown: endOnce,
    counters: () => countersOf(room.tally, identities.speaking().length),
    async [Symbol.asyncDispose]() {
      await endOnce();
    },
  };
}
