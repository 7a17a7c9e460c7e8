import { randomUUID } from 'node:crypto';
import type { ClientRequest } from './client-request.ts';
import { filled } from './filled.ts';
import type { Turn, TurnUsage } from './route.ts';

/** The tool that the client makes of its output schema. */
const OUTPUT_TOOL = 'StructuredOutput';

const USAGE = {
  input_tokens: 1000,
  output_tokens: 50,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};

export type Block =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'tool_use';
      readonly id: string;
      readonly name: string;
      readonly input: unknown;
    };

/** A complete message of the API. */
export interface Message {
  readonly id: string;
  readonly type: 'message';
  readonly role: 'assistant';
  readonly model: string;
  readonly content: readonly Block[];
  readonly stop_reason: 'tool_use' | 'end_turn' | 'refusal' | 'max_tokens';
  readonly stop_sequence: null;
  readonly usage: Required<TurnUsage>;
}

/** The turns that answer with a message. */
type MessageTurn = Extract<Turn, { kind: 'say' | 'use' | 'reply' }>;

/** The message that a turn answers a request with. */
export function messageOf(turn: MessageTurn, request: ClientRequest): Message {
  const block = blockOf(turn, request);
  return {
    id: `msg_${randomUUID()}`,
    type: 'message',
    role: 'assistant',
    model: request.model,
    content: [block],
    stop_reason: stopOf(turn, block),
    stop_sequence: null,
    usage: { ...USAGE, ...turn.usage },
  };
}

function stopOf(turn: MessageTurn, block: Block): Message['stop_reason'] {
  if (block.type === 'tool_use') return 'tool_use';
  return (turn.kind === 'say' ? turn.stop : undefined) ?? 'end_turn';
}

function blockOf(turn: MessageTurn, request: ClientRequest): Block {
  switch (turn.kind) {
    case 'say':
      return { type: 'text', text: String(filled(turn.text, request)) };
    case 'use':
      return toolUse(turn.tool, filled(turn.input, request));
    case 'reply': {
      const identity = { task_id: request.taskId, attempt: request.attempt };
      const envelope = { type: 'task_result', ...identity, ...turn.envelope };
      return toolUse(OUTPUT_TOOL, filled(envelope, request));
    }
  }
}

const toolUse = (name: string, input: unknown): Block => ({
  type: 'tool_use',
  id: `toolu_${randomUUID().replaceAll('-', '')}`,
  name,
  input,
});
