import { randomUUID } from 'node:crypto';
import { filled } from '../filled.ts';
import type { ResponsesRequest } from './client-request.ts';
import type { ResponsesTurn } from './route.ts';

/** The turns that answer with output. */
export type OutputTurn = Extract<ResponsesTurn, { kind: 'say' | 'run' | 'code' | 'reply' }>;

/** One item of a response's output. */
export type Item =
  | {
      readonly type: 'message';
      readonly id: string;
      readonly role: 'assistant';
      readonly status: 'completed';
      readonly content: readonly [
        { readonly type: 'output_text'; readonly text: string; readonly annotations: readonly [] },
      ];
    }
  | {
      readonly type: 'function_call';
      readonly id: string;
      readonly call_id: string;
      readonly name: string;
      readonly arguments: string;
      readonly status: 'completed';
    }
  | {
      readonly type: 'custom_tool_call';
      readonly id: string;
      readonly call_id: string;
      readonly name: string;
      readonly input: string;
      readonly status: 'completed';
    };

/** The client's shell tool. */
const SHELL_TOOL = 'exec_command';
const CODE_TOOL = 'exec';

/** The output that a turn answers a request with. */
export function itemsOf(turn: OutputTurn, request: ResponsesRequest): readonly Item[] {
  switch (turn.kind) {
    case 'say':
      return [message(String(filled(turn.text, request)))];
    case 'run': {
      const call = shellCall(String(filled(turn.command, request)));
      return turn.say === undefined ? [call] : [message(turn.say), call];
    }
    case 'code':
      return [codeCall(String(filled(turn.source, request)))];
    case 'reply': {
      const identity = { task_id: request.taskId, attempt: request.attempt };
      const envelope = { type: 'task_result', ...identity, ...turn.envelope };
      return [message(JSON.stringify(filled(envelope, request)))];
    }
  }
}

const message = (text: string): Item => ({
  type: 'message',
  id: idOf('msg'),
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
});

const shellCall = (cmd: string): Item => ({
  type: 'function_call',
  id: idOf('fc'),
  call_id: idOf('call'),
  name: SHELL_TOOL,
  arguments: JSON.stringify({ cmd }),
  status: 'completed',
});

const codeCall = (input: string): Item => ({
  type: 'custom_tool_call',
  id: idOf('ctc'),
  call_id: idOf('call'),
  name: CODE_TOOL,
  input,
  status: 'completed',
});

export const idOf = (prefix: string): string => `${prefix}_${randomUUID().replaceAll('-', '')}`;
