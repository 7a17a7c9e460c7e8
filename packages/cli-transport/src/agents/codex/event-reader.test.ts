import { describe, expect, it } from 'vitest';
import { eventReader } from './event-reader.ts';

const lines = (...events: readonly object[]) => events.map((event) => JSON.stringify(event));

describe('what the program shows while it works', () => {
  it('its tools as they begin', () => {
    const started = (item: object) => ({ type: 'item.started', item });
    expect(
      eventReader().read(
        lines(
          started({ type: 'command_execution', command: 'ls' }),
          started({ type: 'mcp_tool_call', tool: 'find\u001b[2J' }),
          started({ type: 'reasoning' }),
          started({ type: 'constructor' }),
          { type: 'item.completed', item: { type: 'command_execution' } },
        ),
      ),
    ).toEqual([
      { kind: 'tool', tool: 'shell' },
      { kind: 'tool', tool: expect.not.stringMatching(/\p{Cc}/u) },
    ]);
  });

  it('retries with their status, and a limit with its end', () => {
    const error = (message: unknown) => ({ type: 'error', message });
    const limit = "You've hit your usage limit. Or try again at Sep 21st, 2030 2:13 PM.";
    expect(
      eventReader().read(
        lines(
          error('Reconnecting... 1/2 (unexpected status 503 Service Unavailable: overloaded)'),
          error('Reconnecting... 2/2 (exceeded retry limit, last status: 429 Too Many)'),
          error('Reconnecting... 1/2 (stream disconnected before completion)'),
          error('something else'),
          error(7),
          { type: 'turn.failed', error: { message: limit } },
          { type: 'turn.failed', error: { message: 'unexpected status 401 x' } },
          { type: 'turn.failed' },
        ),
      ),
    ).toEqual([
      { kind: 'retry', status: 503 },
      { kind: 'retry', status: 429 },
      { kind: 'retry' },
      { kind: 'limit', resumeAt: Date.UTC(2030, 8, 21, 14, 13) },
    ]);
  });

  it('its usage at the end, and nothing before', () => {
    const reader = eventReader();
    expect(reader.usage()).toEqual({});
    const usage = { input_tokens: 7, cached_input_tokens: 2, output_tokens: 3 };
    const known = { inputTokens: 5, cacheReadTokens: 2, outputTokens: 3 };
    expect(reader.read(lines({ type: 'turn.completed', usage }))).toEqual([
      { kind: 'usage', usage: known },
    ]);
    expect(reader.usage()).toEqual(known);
  });

  it('nothing of what is no event', () => {
    expect(eventReader().read(['', '{"error"', '"error"', 'null "error"'])).toEqual([]);
  });
});
