import { describe, expect, it } from 'vitest';
import { eventReader } from './event-reader.ts';

const USAGE = {
  input_tokens: 100,
  output_tokens: 1,
  cache_creation_input_tokens: 30,
  cache_read_input_tokens: 7,
};
const KNOWN = { inputTokens: 100, cacheReadTokens: 7, cacheWriteTokens: 30 };

const assistant = (id: unknown, over: object = {}) => ({
  type: 'assistant',
  message: { id, model: 'claude-sonnet-5-5', content: [], usage: USAGE, ...over },
});
const tool = (name: unknown) => ({ type: 'tool_use', id: 't', name, input: { command: 'x' } });

const readerOf = (...events: unknown[]) => {
  const reader = eventReader();
  const signals = reader.read(
    events.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))),
  );
  return { signals, usage: reader.usage() };
};

describe('the events of the program', () => {
  it('a message is counted once, though it is printed once per part', () => {
    const { usage, signals } = readerOf(
      assistant('m-1', { content: [{ type: 'text', text: 'I will' }] }),
      assistant('m-1', { content: [tool('Bash')] }),
      assistant('m-2', { content: [tool('Write')] }),
    );
    const twice = { inputTokens: 200, cacheReadTokens: 14, cacheWriteTokens: 60 };
    expect(usage).toEqual(twice);
    expect(signals).toEqual([
      { kind: 'usage', usage: KNOWN },
      { kind: 'tool', tool: 'Bash' },
      { kind: 'tool', tool: 'Write' },
      { kind: 'usage', usage: twice },
    ]);
  });

  it('output tokens are unknown until the record tells them: a message tells those of its beginning', () => {
    expect(readerOf(assistant('m-1')).usage).not.toHaveProperty('outputTokens');
    const record = { type: 'result', usage: { ...USAGE, output_tokens: 50 }, total_cost_usd: 0.5 };
    expect(readerOf(assistant('m-1'), record).usage).toEqual({
      ...KNOWN,
      outputTokens: 50,
      costUsd: 0.5,
    });
  });

  it('what the program says in place of an answer has cost nothing, and is not 0 tokens either', () => {
    const zero = { input_tokens: 0, output_tokens: 0 };
    const { usage } = readerOf(assistant('s', { model: '<synthetic>', usage: zero }));
    expect(usage).toEqual({});
  });

  it('tells a denial, a retry and a limit', () => {
    const { signals } = readerOf(
      {
        type: 'system',
        subtype: 'permission_denied',
        tool_name: 'Write',
        message: 'not \x1b[2J yet',
      },
      { type: 'system', subtype: 'api_retry', error_status: 529, retry_delay_ms: 531 },
      { type: 'system', subtype: 'api_retry', error_status: null },
      { type: 'rate_limit_event', rate_limit_info: { status: 'allowed_warning', resetsAt: 9 } },
      { type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt: 1796020000 } },
      { type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt: 'soon' } },
    );
    expect(signals).toEqual([
      { kind: 'denial', tool: 'Write', reason: 'not \\x1b[2J yet' },
      { kind: 'retry', status: 529, waitMs: 531 },
      { kind: 'retry' },
      { kind: 'limit', resumeAt: 1_796_020_000_000 },
      { kind: 'limit' },
    ]);
  });

  it.each([
    ['a line that is no event', 'Warning: {"type":"assistant"}'],
    ['a cut line', JSON.stringify(assistant('m')).slice(0, -1)],
    ['a list', '[{"type":"result"}]'],
    ['a line that is too deep', `{"type":"assistant","message":${'['.repeat(501)}`],
    ['a tool result that quotes one', { type: 'user', message: assistant('m') }],
    ['an event without a body', { type: 'assistant', message: null }],
    ['a message without a name', assistant(7)],
    ['a limit without facts', { type: 'rate_limit_event', rate_limit_info: 'rejected' }],
  ])('means nothing: %s', (_, event) => {
    expect(readerOf(event)).toEqual({ signals: [], usage: {} });
  });

  it('usage of the wrong kind is unknown, never 0', () => {
    const { usage } = readerOf(assistant('m', { usage: { input_tokens: '5', output_tokens: -1 } }));
    expect(usage).toEqual({});
  });

  it('texts are printable and short', () => {
    const { signals } = readerOf(assistant('m', { content: [tool(`\x07${'x'.repeat(500)}`)] }));
    expect(signals[0]).toEqual({ kind: 'tool', tool: expect.stringMatching(/^\\x07x{74,76}…?$/) });
  });
});
