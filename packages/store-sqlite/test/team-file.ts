import type { OutgoingMessage, Store } from '../src/index.ts';
import { storeAt } from './store-file.ts';

export const TEAM = 't1';

export const NEW_TEAM = {
  ...{ teamId: TEAM, runId: 'run', project: 'shop', leadRole: 'lead' },
} as const;

/** Registers a team of a lead and members, each with a persona of its own. */
export function registerTeam(store: Store, ...roles: readonly string[]): Store['team'] {
  const { team } = store;
  team.teams.create(NEW_TEAM);
  for (const roleId of ['lead', ...roles])
    team.teams.addMember({
      ...{ teamId: TEAM, roleId, memberName: roleId },
      persona: { version: '1', text: `You are ${roleId}.` },
    });
  return team;
}

/** The team part of a store with a lead, an ann and a bob. */
export const teamAt = (path: string): Store['team'] => registerTeam(storeAt(path), 'ann', 'bob');

export const message = (over: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  ...{ teamId: TEAM, recipient: 'lead', senderId: 'ann', kind: 'reply', payload: 'hello' },
  ...over,
});

/** A key of the wire for a number. */
export const keyOf = (count: number): string => `${count}`.padStart(26, '0');
