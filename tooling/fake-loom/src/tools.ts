import { type Chat, callerOf, channelNamed, type Message, unreadOf } from './chat.ts';
import { ToolFault } from './tool-fault.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** One tool: what it takes, as a JSON Schema, and what it does. */
interface Tool {
  readonly properties: (chat: Chat) => Readonly<Record<string, object>>;
  readonly required: readonly string[];
  readonly run: (chat: Chat, session: string, args: Arguments, now: number) => unknown;
}

const PREVIEW = 80;
const text = { type: 'string' };
const nothing = () => ({});
const named = () => ({ name: text });
const inChannel = () => ({ channel: text });

const TOOLS: Readonly<Record<string, Tool>> = {
  register: { properties: named, required: ['name'], run: register },
  create_channel: { properties: named, required: ['name'], run: createChannel },
  join_channel: { properties: inChannel, required: ['channel'], run: joinChannel },
  list_channels: {
    properties: nothing,
    required: [],
    run: (chat) =>
      [...chat.channels.values()].map(({ id, name, members }) => ({
        id,
        name,
        members: [...members],
      })),
  },
  deregister: { properties: named, required: ['name'], run: deregister },
  send_message: {
    properties: (chat) => ({
      channel: text,
      to: text,
      body: { type: 'string', maxLength: chat.bodyCap },
    }),
    required: ['channel', 'to', 'body'],
    run: sendMessage,
  },
  check_inbox: { properties: nothing, required: [], run: checkInbox },
  read_messages: {
    properties: inChannel,
    required: [],
    run: (chat, session, { channel }) =>
      unreadOf(chat, callerOf(chat, session))
        .filter((one) => channel === undefined || one.channel === channel)
        .map(({ receipts: _, ...shown }) => shown),
  },
  mark_read: {
    properties: () => ({ message_ids: { type: 'array', items: { type: 'number' } } }),
    required: ['message_ids'],
    run: markRead,
  },
  purge_all: { properties: nothing, required: [], run: purgeAll },
};

/** What `tools/list` says; the longest body is told here and nowhere else. */
export const toolList = (chat: Chat): object[] =>
  Object.entries(TOOLS).map(([name, { properties, required }]) => ({
    name,
    inputSchema: { type: 'object', properties: properties(chat), required },
  }));

/** Runs a tool. Throws `ToolFault`; one with the code `-32602` is a call that its schema refuses. */
export function runTool(
  chat: Chat,
  call: { session: string; tool: string; args: Arguments; now: number },
): unknown {
  const tool = Object.hasOwn(TOOLS, call.tool) ? TOOLS[call.tool] : undefined;
  if (!tool) throw new ToolFault('-32602', `Tool ${call.tool} not found`);
  const wrong = offence(tool, call.args, chat);
  if (wrong) {
    const start = `Input validation error: Invalid arguments for tool ${call.tool}: `;
    throw new ToolFault('-32602', start + JSON.stringify([wrong], null, 2));
  }
  return tool.run(chat, call.session, call.args, call.now);
}

function offence(tool: Tool, args: Arguments, chat: Chat): object | undefined {
  for (const [key, schema] of Object.entries(tool.properties(chat))) {
    const value = args[key];
    if (value === undefined && !tool.required.includes(key)) continue;
    const { type, maxLength } = schema as { type: string; maxLength?: number };
    const fits = type === 'array' ? Array.isArray(value) : typeof value === type;
    if (!fits) return { expected: type, code: 'invalid_type', path: [key] };
    if (maxLength !== undefined && typeof value === 'string' && value.length > maxLength)
      return { origin: 'string', code: 'too_big', maximum: maxLength, path: [key] };
  }
  return undefined;
}

function register(chat: Chat, session: string, { name }: Arguments) {
  const wanted = String(name);
  if (wanted.length > chat.nameCap)
    throw new ToolFault('NAME_TOO_LONG', `name is longer than ${chat.nameCap}`);
  let free = wanted;
  for (let n = 2; chat.agents.has(free); n++) free = `${wanted}-${n}`;
  const agent = { name: free, status: 'active' as const };
  chat.agents.set(free, agent);
  chat.bound.set(session, agent);
  return { ok: true, name: free, channels: [] };
}

function createChannel(chat: Chat, session: string, { name }: Arguments) {
  const caller = callerOf(chat, session);
  const wanted = String(name);
  if (chat.channels.has(wanted))
    throw new ToolFault('CHANNEL_EXISTS', `channel already exists: ${wanted}`);
  const channel = { id: chat.nextId++, name: wanted, members: [caller.name] };
  chat.channels.set(wanted, channel);
  return { id: channel.id, name: wanted };
}

function joinChannel(chat: Chat, session: string, { channel }: Arguments) {
  const caller = callerOf(chat, session);
  const { name, members } = channelNamed(chat, String(channel));
  if (!members.includes(caller.name)) members.push(caller.name);
  return { channel: name, members: [...members] };
}

function deregister(chat: Chat, session: string, { name }: Arguments) {
  callerOf(chat, session);
  const agent = chat.agents.get(String(name));
  if (!agent) throw new ToolFault('AGENT_NOT_FOUND', `agent not found: ${name}`);
  // Nothing else: the session, the memberships and what is delivered stay as they were.
  agent.status = 'gone';
  return { ok: true, name: agent.name };
}

function sendMessage(chat: Chat, session: string, args: Arguments, now: number) {
  const [name, to, body] = [args['channel'], args['to'], args['body']].map(String);
  const sender = callerOf(chat, session).name;
  const { members, name: channel } = channelNamed(chat, name ?? '');
  if (!members.includes(sender))
    throw new ToolFault('NOT_A_MEMBER', `${sender} is not a member of channel ${channel}`);
  const here = to === '@here';
  if (!here && !members.includes(to ?? '')) {
    const message = `recipient ${to} is not a member of channel ${channel}`;
    throw new ToolFault('RECIPIENT_NOT_MEMBER', message);
  }
  const recipients = here ? members.filter((one) => one !== sender) : [to ?? ''];
  const message: Message = {
    message_id: chat.nextId++,
    channel,
    sender,
    addressing: here ? 'here' : 'direct',
    target: here ? null : (to ?? ''),
    body: body ?? '',
    created_at: now,
    receipts: new Map(recipients.map((one) => [one, false])),
  };
  chat.messages.push(message);
  return { message_id: message.message_id, recipients };
}

function checkInbox(chat: Chat, session: string) {
  const unread = unreadOf(chat, callerOf(chat, session));
  const previews = unread.map(({ message_id, channel, sender, addressing, body, created_at }) => ({
    message_id,
    channel,
    sender,
    addressing,
    preview: body.length > PREVIEW ? `${body.slice(0, PREVIEW)}…` : body,
    created_at,
  }));
  return { unread: unread.length, previews };
}

function markRead(chat: Chat, session: string, args: Arguments) {
  const caller = callerOf(chat, session);
  const ids = args['message_ids'] as unknown[];
  const marked = unreadOf(chat, caller).filter(({ message_id }) => ids.includes(message_id));
  for (const { receipts } of marked) receipts.set(caller.name, true);
  return { marked: marked.length };
}

function purgeAll(chat: Chat, session: string) {
  callerOf(chat, session);
  const { messages, channels, agents } = chat;
  const deleted = {
    messages: messages.length,
    channels: channels.size,
    agents: agents.size,
    reports: 0,
  };
  messages.length = 0;
  channels.clear();
  agents.clear();
  return { ok: true, deleted };
}
