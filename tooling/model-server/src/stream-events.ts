import type { Block, Message } from './message.ts';

const PIECE = 512;

/** The server-sent events that stream a message, in the API's order. */
export function streamEvents(message: Message): string[] {
  const started = {
    ...message,
    content: [],
    stop_reason: null,
    usage: { ...message.usage, output_tokens: 1 },
  };
  const { stop_reason, stop_sequence, usage } = message;
  return [
    event({ type: 'message_start', message: started }),
    ...message.content.flatMap(blockEvents),
    event({ type: 'message_delta', delta: { stop_reason, stop_sequence }, usage }),
    event({ type: 'message_stop' }),
  ];
}

function blockEvents(block: Block, index: number): string[] {
  const empty = block.type === 'text' ? { ...block, text: '' } : { ...block, input: {} };
  const deltas =
    block.type === 'text'
      ? pieces(block.text).map((text) => ({ type: 'text_delta', text }))
      : pieces(JSON.stringify(block.input)).map((partial_json) => ({
          type: 'input_json_delta',
          partial_json,
        }));
  return [
    event({ type: 'content_block_start', index, content_block: empty }),
    ...deltas.map((delta) => event({ type: 'content_block_delta', index, delta })),
    event({ type: 'content_block_stop', index }),
  ];
}

const event = (data: { readonly type: string } & Record<string, unknown>): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

const pieces = (text: string): string[] =>
  Array.from({ length: Math.ceil(text.length / PIECE) }, (_, at) =>
    text.slice(at * PIECE, (at + 1) * PIECE),
  );
