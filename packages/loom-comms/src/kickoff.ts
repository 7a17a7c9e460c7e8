import type { Allowance } from './allowance.ts';
import { EVERYONE, type PostRoom, post, unsent } from './post.ts';

export interface KickoffGoals {
  /** Told to everyone. */
  readonly teamGoal: string;
  /** By role; a member without one gets no message of its own. */
  readonly individualGoals?: Readonly<Record<string, string>>;
}

export interface KickoffResult {
  readonly transport: 'loom' | 'bridge';
  /** At least one recipient has a message. */
  readonly posted: boolean;
  /** Messages that the chat took. */
  readonly messages: number;
  /** How often a message reached a recipient: one to a channel of three counts three. */
  readonly delivered: number;
  /** Files that pointers were sent to. */
  readonly spilled: readonly string[];
  /** Who was not reached, and why. */
  readonly failed: readonly { readonly to: string; readonly code: string }[];
  /** The names that the chat gave, by role. */
  readonly identities: ReadonlyMap<string, string>;
}

/**
 * Everyone joins first, for a message reaches only who is a member when it is sent; then the goal of the team goes to
 * all, and to each member its own. One failure stops nothing else; a goal that nobody is there to tell or to hear is
 * counted as one that was not sent.
 */
export async function kickoff(
  room: PostRoom,
  { teamGoal, individualGoals = {} }: KickoffGoals,
  within: Allowance,
): Promise<KickoffResult> {
  const { participants, identities, roster } = room;
  const { lead } = roster;
  const absent = new Map<string, string>();
  for (const role of roster.all()) {
    const entered = await participants.ensure(role, within);
    if (!entered.ok) absent.set(role, entered.error.code);
  }
  const failed = [...absent].map(([to, code]) => ({ to, code }));
  const messages = [
    { to: EVERYONE, text: teamGoal, title: 'team-goal' },
    ...roster
      .all()
      .filter((role) => role !== lead && Object.hasOwn(individualGoals, role))
      .map((role) => ({ to: role, text: individualGoals[role] ?? '', title: `goal-${role}` })),
  ];
  let taken = 0;
  let delivered = 0;
  const spilled: string[] = [];
  for (const message of messages) {
    const missing = absent.get(lead) ?? absent.get(message.to);
    if (missing !== undefined) {
      unsent(room.tally, missing);
      continue;
    }
    const sent = await post(room, { role: lead, ...message }, within);
    delivered += sent.recipients;
    if (sent.spilled !== undefined) spilled.push(sent.spilled);
    if (sent.delivered || sent.code === 'NO_RECIPIENT') taken++;
    if (sent.code !== undefined) failed.push({ to: message.to, code: sent.code });
  }
  const names = identities.speaking().map((one) => [one.role, one.assignedName] as const);
  return {
    transport: 'loom',
    posted: delivered > 0,
    messages: taken,
    delivered,
    spilled,
    failed,
    identities: new Map(names),
  };
}
