import { createHash } from 'node:crypto';
import { basename } from 'node:path';

/**
 * What the names of a run’s registrations begin with. Whose half of one is that a host has left can be told by nothing
 * else: it says where its worktree is last.
 */
export const registrationPrefix = (root: string): string =>
  `atelier-${createHash('sha256').update(root).digest('hex').slice(0, 12)}-`;

/** The name to ask for, for a worktree of that run. */
export const registrationName = (root: string, path: string): string =>
  `${registrationPrefix(root)}${basename(path)}`;
