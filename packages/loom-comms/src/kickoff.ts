import type { Allowance } from './allowance.ts';
import { EVERYONE, type PostRoom, post } from './post.ts';

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
 * all, and to each member its own. One failure stops nothing else.
 */
export async function kickoff(
  room: PostRoom,
  { teamGoal, individualGoals = {} }: KickoffGoals,
  within: Allowance,
): Promise<KickoffResult> {
  const { participants, identities, roster } = room;
  const { lead } = roster;
  const failed: { to: string; code: string }[] = [];
  const present: string[] = [];
  for (const role of roster.all()) {
    const entered = await participants.ensure(role, within);
    if (entered.ok) present.push(role);
    else failed.push({ to: role, code: entered.error.code });
  }
  const messages = [
    { to: EVERYONE, text: teamGoal, title: 'team-goal' },
    ...present
      .filter((role) => role !== lead && Object.hasOwn(individualGoals, role))
      .map((role) => ({ to: role, text: individualGoals[role] ?? '', title: `goal-${role}` })),
  ];
  let taken = 0;
  let delivered = 0;
  const spilled: string[] = [];
  for (const message of present.includes(lead) ? messages : []) {
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
