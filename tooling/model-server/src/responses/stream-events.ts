import { type Item, idOf } from './items.ts';
import type { ResponsesUsage } from './route.ts';

/** An event of a stream, as far as this server tells it. */
type StreamEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

const PIECE = 512;
const USAGE = { input_tokens: 1000, cached_tokens: 0, output_tokens: 50 };

/** How a streamed response ends. */
export type StreamEnd =
  | { readonly kind: 'completed'; readonly usage?: ResponsesUsage }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };

/** The server-sent events that stream a response, in the API's order. */
export function responseEvents(model: string, items: readonly Item[], end: StreamEnd): string[] {
  const response = { id: idOf('resp'), object: 'response', model, error: null };
  const events: StreamEvent[] = [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    ...items.flatMap(itemEvents),
    end.kind === 'completed'
      ? {
          type: 'response.completed',
          response: { ...response, status: 'completed', output: items, usage: usageOf(end.usage) },
        }
      : {
          type: 'response.failed',
          response: {
            ...response,
            status: 'failed',
            error: { code: end.code, message: end.message },
          },
        },
  ];
  return events.map((event, at) =>
    [`event: ${event.type}`, `data: ${JSON.stringify({ sequence_number: at, ...event })}\n\n`].join(
      '\n',
    ),
  );
}

function itemEvents(item: Item, output_index: number): StreamEvent[] {
  if (item.type !== 'message')
    return [
      { type: 'response.output_item.added', output_index, item },
      { type: 'response.output_item.done', output_index, item },
    ];
  const [{ text }] = item.content;
  const begun = { ...item, status: 'in_progress', content: [] };
  const part = { item_id: item.id, output_index, content_index: 0 };
  return [
    { type: 'response.output_item.added', output_index, item: begun },
    ...piecesOf(text).map((delta) => ({ type: 'response.output_text.delta', ...part, delta })),
    { type: 'response.output_text.done', ...part, text },
    { type: 'response.output_item.done', output_index, item },
  ];
}

const piecesOf = (text: string): string[] =>
  Array.from({ length: Math.ceil(text.length / PIECE) }, (_, at) =>
    text.slice(at * PIECE, (at + 1) * PIECE),
  );

function usageOf(given: ResponsesUsage | undefined) {
  const { input_tokens, cached_tokens, output_tokens } = { ...USAGE, ...given };
  return {
    input_tokens,
    input_tokens_details: { cached_tokens },
    output_tokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input_tokens + output_tokens,
  };
}
