import { countersOf, tally } from './counters.ts';
import type { LoomRun, ParticipantResult } from './loom-run.ts';
import type { PostResult } from './post.ts';

/** A run without a chat: everything answers at once, and nothing is called. */
export function unavailableRun(channel: string): LoomRun {
  const participant = async (role: string): Promise<ParticipantResult> => ({
    transport: 'bridge',
    role,
    ok: false,
    reregistered: false,
  });
  const nothing = async (): Promise<PostResult> => ({
    transport: 'bridge',
    delivered: false,
    recipients: 0,
  });
  return {
    available: false,
    channel,
    kickoff: async () => ({
      transport: 'bridge',
      posted: false,
      messages: 0,
      delivered: 0,
      spilled: [],
      failed: [],
      identities: new Map(),
    }),
    invite: participant,
    rejoin: participant,
    deregister: participant,
    say: nothing,
    announce: nothing,
    relay: nothing,
    inbox: async () => [],
    signOffLeft: async () => [],
    teardown: async () => ({
      transport: 'bridge',
      attempted: [],
      deregistered: [],
      variantsAttempted: [],
      variantsDeregistered: [],
    }),
    counters: () => countersOf(tally(), 0),
    [Symbol.asyncDispose]: async () => undefined,
  };
}
