import type { LoomCounters } from './counters.ts';
import type { FencedMessage } from './inbox.ts';
import type { KickoffGoals, KickoffResult } from './kickoff.ts';
import type { PostResult } from './post.ts';
import type { GoneName, LeftNames } from './sign-off-left.ts';
import type { TeardownResult } from './teardown.ts';

/** What became of a role. */
export interface ParticipantResult {
  readonly transport: 'loom' | 'bridge';
  readonly role: string;
  readonly ok: boolean;
  /** The name that the chat gave; absent where the role has none. */
  readonly assignedName?: string;
  /** Whether it had to be registered anew. */
  readonly reregistered: boolean;
  /** Why it is not so. */
  readonly code?: string;
}

/**
 * The chat of one run. All its sessions are the host's, one for each role; workers have none. Nothing here rejects,
 * decides or delays anything: every promise settles within the limits, whatever the server does.
 */
export interface LoomRun {
  readonly available: boolean;
  readonly channel: string;
  kickoff(goals: KickoffGoals): Promise<KickoffResult>;
  /** Registers a role and lets it join. */
  invite(role: string): Promise<ParticipantResult>;
  /** Joins again, under a new name where the session was lost or the role signed off. */
  rejoin(role: string): Promise<ParticipantResult>;
  /** Signs a role off and ends its session. */
  deregister(role: string): Promise<ParticipantResult>;
  /** Posts as a role, to a role or to `@here`. */
  say(role: string, to: string, text: string): Promise<PostResult>;
  /** Posts as the lead, to all. */
  announce(text: string): Promise<PostResult>;
  /** Posts what a worker or a closure says of a task, as the role, to all: one line, cut, with the task before it. */
  relay(role: string, taskId: string, text: string): Promise<PostResult>;
  inbox(role: string): Promise<readonly FencedMessage[]>;
  /** Signs off what other runs, whose hosts are dead, have left in their own channels. Gives those that are gone now. */
  signOffLeft(left: readonly LeftNames[]): Promise<readonly GoneName[]>;
  /**
   * Lets what waits be said, for 3 s at most, then signs everyone off and ends the sessions. Idempotent; takes nothing
   * more from when it is called.
   */
  teardown(): Promise<TeardownResult>;
  counters(): LoomCounters;
  [Symbol.asyncDispose](): Promise<void>;
}
