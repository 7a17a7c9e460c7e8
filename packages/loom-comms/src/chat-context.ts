import type { LoomStatus } from './loom-status.ts';

/** What a briefing says of the chat. `bridge`: nothing, so that it has the same bytes as without a chat. */
export type TeamChatContext =
  | { readonly transport: 'bridge' }
  | {
      readonly transport: 'loom-relay';
      readonly channel: string;
      /** In UTF-16 units. */
      readonly maxBody: number;
    };

/** A worker gets no commands: it has no network, and what it has to say the host relays. */
export const buildTeamChatContext = (
  status: LoomStatus,
  { channel }: { readonly channel: string },
): TeamChatContext =>
  status.available
    ? { transport: 'loom-relay', channel, maxBody: status.maxBody }
    : { transport: 'bridge' };
