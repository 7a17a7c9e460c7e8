import { describe, expect, it } from 'vitest';
import { exitOf } from '../../../test/claude/attempt.ts';
import { reportOf } from './report.ts';

const NOW = Date.UTC(2026, 10, 29, 19, 30);
const REPLY = { type: 'task_result' };
const RECORD = {
  type: 'result',
  subtype: 'success',
  is_error: false,
  structured_output: REPLY,
  usage: {
    input_tokens: 10,
    output_tokens: 20,
    cache_read_input_tokens: 3,
    cache_creation_input_tokens: 4,
  },
  total_cost_usd: 0.01,
};
const USAGE = {
  inputTokens: 10,
  outputTokens: 20,
  cacheReadTokens: 3,
  cacheWriteTokens: 4,
  costUsd: 0.01,
};
const print = (over: object = {}) => JSON.stringify({ ...RECORD, ...over });

describe('reportOf', () => {
  it('is the reply and what it took', () => {
    expect(reportOf(exitOf(print()), NOW)).toEqual({ kind: 'replied', reply: REPLY, usage: USAGE });
  });

  it('decision 13: another exit code is a failed attempt that keeps the reply', () => {
    expect(reportOf(exitOf(print(), { exitCode: 3, stderr: 'a\nb\x07\n' }), NOW)).toEqual({
      kind: 'failed',
      cause: 'exit',
      detail: 'exit code 3 after a result: b\\x07',
      exitCode: 3,
      reply: REPLY,
      usage: USAGE,
    });
  });

  it('decision 13: a reply counts when we ended the program after it', () => {
    const exit = { exitCode: undefined, signal: 'SIGTERM', endedAfterReply: true };
    expect(reportOf(exitOf(print(), exit), NOW)).toMatchObject({ kind: 'replied', reply: REPLY });
  });

  it('an error record stays one when we ended the program after it', () => {
    const exit = { exitCode: undefined, signal: 'SIGTERM', endedAfterReply: true };
    expect(reportOf(exitOf(print({ is_error: true }), exit), NOW)).toMatchObject({
      kind: 'failed',
      cause: 'exit',
    });
  });

  it('a program that a signal ended after its result has failed', () => {
    const exit = { exitCode: undefined, signal: 'SIGKILL' };
    expect(reportOf(exitOf(print(), exit), NOW)).toMatchObject({
      kind: 'failed',
      cause: 'exit',
      detail: 'ended by SIGKILL after a result',
    });
  });

  it('decision 15 (a): a limit ends when the event says, to the second; the message is rounded', () => {
    const record = print({
      is_error: true,
      api_error: 'usage_limit_reached',
      result: "You've hit your 5-hour limit · resets 9:31pm (UTC)",
    });
    const event = (status: string, resetsAt: unknown) =>
      JSON.stringify({ type: 'rate_limit_event', rate_limit_info: { status, resetsAt } });
    const resumeAt = (...lines: string[]) =>
      reportOf(exitOf([...lines, record].join('\n'), { exitCode: 1 }), NOW);
    const told = 1_796_074_312;
    expect(resumeAt(event('allowed', 5), event('rejected', told))).toMatchObject({
      cause: 'usage-limit',
      resumeAt: told * 1000,
    });
    for (const useless of [event('rejected', 'soon'), event('allowed', told), '"rate_limit_event"'])
      expect(resumeAt(useless)).toMatchObject({ resumeAt: Date.UTC(2026, 10, 29, 21, 31) });
  });

  it('an event of a limit alone is none: the worker went on', () => {
    const event = '{"type":"rate_limit_event","rate_limit_info":{"status":"rejected"}}';
    expect(reportOf(exitOf(`${event}\n${print()}`), NOW)).toMatchObject({ kind: 'replied' });
  });

  it('says what standard error said when there is no record', () => {
    const exit = { exitCode: 1, stderr: 'Error: --json-schema is not valid JSON\n' };
    expect(reportOf(exitOf('', exit), NOW)).toEqual({
      kind: 'failed',
      cause: 'exit',
      exitCode: 1,
      detail:
        'exit code 1, no complete result record in 0 bytes of output: Error: --json-schema is not valid JSON',
    });
  });

  it('counts the bytes that were printed, not those that were kept', () => {
    expect(reportOf(exitOf('{"type', { stdoutBytes: 9_000_000 }), NOW)).toMatchObject({
      cause: 'no-reply',
      detail: 'no complete result record in 9000000 bytes of output',
    });
  });

  it.each([
    ['absent', { usage: undefined, total_cost_usd: undefined }],
    ['of the wrong kind', { usage: 'much', total_cost_usd: '1' }],
    ['impossible', { usage: { input_tokens: -1, output_tokens: null }, total_cost_usd: -3 }],
  ])('usage that is %s is unknown, never 0', (_, over) => {
    expect(reportOf(exitOf(print(over)), NOW)).toMatchObject({ kind: 'replied', usage: {} });
    expect(reportOf(exitOf(print(over)), NOW)).toHaveProperty('usage', {});
  });
});
