import { LoomCommsError } from './loom-comms-error.ts';

/** The roles of a run, the lead first. */
export interface Roster {
  readonly lead: string;
  has(role: string): boolean;
  all(): readonly string[];
  /** False for what can not be a name. */
  add(role: string): boolean;
}

const LONGEST = 64;

/** Throws `LOOM_ROLE` for what can not be a name, and `LOOM_ROLE_TWICE` for a member that is there twice. */
export function roster(lead: string, members: readonly string[]): Roster {
  const twice = members.find((role, index) => members.indexOf(role) !== index);
  if (twice !== undefined) {
    throw new LoomCommsError(
      'LOOM_ROLE_TWICE',
      `the member ${JSON.stringify(twice.slice(0, LONGEST))} is there twice`,
      'Give each member of a team a role of its own.',
    );
  }
  const roles = new Set([lead, ...members]);
  const nameless = [...roles].find((role) => !canBeName(role));
  if (nameless !== undefined) {
    throw new LoomCommsError(
      'LOOM_ROLE',
      `${JSON.stringify(nameless.slice(0, LONGEST))} can not be a name in the chat`,
      `A name has 1 to ${LONGEST} characters that can be seen, and begins with none of a space and @.`,
    );
  }
  return {
    lead,
    has: (role) => roles.has(role),
    all: () => [...roles],
    add: (role) => canBeName(role) && roles.add(role).has(role),
  };
}

const canBeName = (role: string): boolean =>
  /^[^\p{C}\s@][^\p{C}]*$/u.test(role) && role.length <= LONGEST;
