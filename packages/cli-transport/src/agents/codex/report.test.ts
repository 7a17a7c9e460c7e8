import { describe, expect, it } from 'vitest';
import { exitOf } from '../../../test/claude/attempt.ts';
import { reportOf } from './report.ts';
import { readTurn, replyOf } from './turn.ts';

const REPLY = { type: 'task_result', status: 'done' };
const USAGE = {
  ...{ input_tokens: 900, cached_input_tokens: 500, cache_write_input_tokens: 100 },
  ...{ output_tokens: 20, reasoning_output_tokens: 5 },
};

const item = (type: string, more: object) => ({ type: 'item.completed', item: { type, ...more } });
const says = (text: string) => item('agent_message', { text });
const ENDED = { type: 'turn.completed', usage: USAGE };
const failed = (message: string) => ({ type: 'turn.failed', error: { message } });
const printed = (...events: readonly unknown[]) =>
  events.map((event) => (typeof event === 'string' ? event : JSON.stringify(event))).join('\n');
const reportIn = (events: readonly unknown[], over = {}) =>
  reportOf(exitOf(printed(...events), over), 0);

const DONE = [says('I begin.'), says(JSON.stringify(REPLY)), ENDED];

describe('decision 14: what counts as the reply', () => {
  it('the whole last message before the one turn that ended well', () => {
    expect(reportIn(['\ufeffnoise {"type":', ...DONE, 'a notice'])).toEqual({
      kind: 'replied',
      reply: REPLY,
      usage: { inputTokens: 300, outputTokens: 20, cacheReadTokens: 500, cacheWriteTokens: 100 },
    });
  });

  it.each([
    ['an object in prose', [says(`Done: ${JSON.stringify(REPLY)}`), ENDED]],
    ['a fenced object', [says(`\`\`\`json\n${JSON.stringify(REPLY)}\n\`\`\``), ENDED]],
    ['an earlier message', [says(JSON.stringify(REPLY)), says('Done.'), ENDED]],
    ['a list', [says('[]'), ENDED]],
    ['a thought', [item('reasoning', { text: JSON.stringify(REPLY) }), ENDED]],
    ['another kind of item', [item('other', { error: null, text: '{}' }), ENDED]],
    ['no message', [ENDED]],
    ['a message after the turn', [ENDED, says(JSON.stringify(REPLY))]],
    ['no end of the turn', [says(JSON.stringify(REPLY))]],
    ['two turns', [...DONE, ENDED]],
    ['nothing', []],
  ])('%s is none', (_, events) => {
    expect(reportIn(events)).toMatchObject({ kind: 'failed', cause: 'no-reply', exitCode: 0 });
    expect(replyOf(readTurn(printed(...events)))).toBeUndefined();
  });

  it('O-04: output that was cut in the middle is not repaired', () => {
    const whole = printed(...DONE);
    expect(reportOf(exitOf(whole.slice(0, -20)), 0)).toMatchObject({ cause: 'no-reply' });
  });

  it('decision 13: with another exit it is kept and does not count, unless we ended the program', () => {
    const over = { exitCode: 3, stderr: 'first\nlast words\n' };
    expect(reportIn(DONE, over)).toMatchObject({
      ...{ kind: 'failed', cause: 'exit', exitCode: 3, reply: REPLY },
      ...{ detail: 'exit code 3 after a reply: last words', usage: { outputTokens: 20 } },
    });
    const ended = { exitCode: undefined, signal: 'SIGKILL', endedAfterReply: true };
    expect(reportIn(DONE, ended)).toMatchObject({ kind: 'replied', reply: REPLY });
  });
});

describe('decision 15: only the error fields count', () => {
  it('a failed turn, whatever was said before', () => {
    const events = [...DONE.slice(0, 2), failed('unexpected status 401 Unauthorized')];
    expect(reportIn(events, { exitCode: 1 })).toMatchObject({ cause: 'account', exitCode: 1 });
  });

  it('a usage limit with its end', () => {
    const limit = "You've hit your usage limit. Try again at Sep 21st, 2030 2:13 PM.";
    expect(reportIn([failed(limit.replace('Try', 'try'))], { exitCode: 1 })).toMatchObject({
      cause: 'usage-limit',
      resumeAt: Date.UTC(2030, 8, 21, 14, 13),
    });
  });

  it('the last complaint when there was no turn, and never one that it got over', () => {
    const retry = { type: 'error', message: 'Reconnecting... 1/2 (unexpected status 401 x)' };
    const quota = { type: 'error', message: 'Quota exceeded. Check your plan.' };
    expect(reportIn([quota, retry], { exitCode: 1 })).toMatchObject({ cause: 'account' });
    expect(reportIn([retry], { exitCode: 1 })).toMatchObject({ cause: 'exit' });
    expect(reportIn([quota, ...DONE])).toMatchObject({ kind: 'replied' });
  });

  it.each([
    ['in a message', says('Quota exceeded. Check your plan.')],
    ['in a warning', item('error', { message: 'Quota exceeded.' })],
    [
      'in the output of a command',
      item('command_execution', { aggregated_output: JSON.stringify(failed('Quota exceeded.')) }),
    ],
  ])('one that is quoted %s triggers nothing', (_, quote) => {
    expect(reportIn([quote], { exitCode: 1 })).toMatchObject({ cause: 'exit' });
    expect(reportIn([quote, ...DONE])).toMatchObject({ kind: 'replied' });
  });

  it('a call that the program does not like is told by its last words', () => {
    const over = { exitCode: 2, stderr: 'error: unexpected argument\n' };
    expect(reportIn([], over)).toMatchObject({
      ...{ cause: 'exit', exitCode: 2 },
      detail: expect.stringContaining('unexpected argument'),
    });
  });

  it.each([
    ['{"type":"turn.failed"}'],
    ['{"type":"turn.failed","error":null}'],
    ['{"type":"turn.completed","usage":{"input_tokens":"many","output_tokens":-1}}'],
    ['{"type":"item.completed","item":null,"x":"agent_message"}'],
    [`${'['.repeat(100_000)}"error"`],
  ])('any line has a report: %.60s', (line) => {
    expect(reportIn([line])).toMatchObject({ kind: 'failed' });
    expect(reportIn([line])).not.toHaveProperty('usage.inputTokens');
  });
});
