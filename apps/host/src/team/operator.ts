import { userInfo } from 'node:os';

/** The person at the terminal, by the name that the system knows: no argument and no variable can say another. */
export function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    // An account without an entry, as in some containers.
    return `uid-${process.getuid?.() ?? 'unknown'}`;
  }
}
