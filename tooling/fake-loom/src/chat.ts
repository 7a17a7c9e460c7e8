import { ToolFault } from './tool-fault.ts';

export interface Agent {
  readonly name: string;
  status: 'active' | 'gone';
}

export interface Channel {
  readonly id: number;
  readonly name: string;
  /** In the order of joining. */
  readonly members: string[];
}

export interface Message {
  readonly message_id: number;
  readonly channel: string;
  readonly sender: string;
  readonly addressing: 'direct' | 'here';
  readonly target: string | null;
  readonly body: string;
  readonly created_at: number;
  /** Who has it, and whether it was read. */
  readonly receipts: Map<string, boolean>;
}

/** What is kept when the server starts again, and who speaks on which session, which is not. */
export interface Chat {
  readonly agents: Map<string, Agent>;
  readonly channels: Map<string, Channel>;
  readonly messages: Message[];
  /** By session id. An agent whose row was removed is nobody, though its session lives. */
  readonly bound: Map<string, Agent>;
  /** Ids are never used twice, not even after everything was wiped. */
  nextId: number;
  readonly nameCap: number;
  readonly bodyCap: number;
}

export const emptyChat = (caps: { nameCap: number; bodyCap: number }): Chat => ({
  agents: new Map(),
  channels: new Map(),
  messages: [],
  bound: new Map(),
  nextId: 1,
  ...caps,
});

/** Who speaks on this session. */
export function callerOf(chat: Chat, session: string): Agent {
  const agent = chat.bound.get(session);
  if (agent && chat.agents.get(agent.name) === agent) return agent;
  throw new ToolFault('NOT_REGISTERED', 'caller must register() before invoking this tool');
}

export function channelNamed(chat: Chat, name: string): Channel {
  const channel = chat.channels.get(name);
  if (channel) return channel;
  throw new ToolFault('CHANNEL_NOT_FOUND', `channel not found: ${name}`);
}

/** The messages that an agent has not marked as read, oldest first. */
export const unreadOf = (chat: Chat, agent: Agent): Message[] =>
  chat.messages.filter(({ receipts }) => receipts.get(agent.name) === false);
