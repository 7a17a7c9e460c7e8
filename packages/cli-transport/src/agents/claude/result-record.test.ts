import { describe, expect, it } from 'vitest';
import { plainLines } from './output-lines.ts';
import { readResult, replyOf } from './result-record.ts';

const RESULT = { type: 'result', subtype: 'success', is_error: false, structured_output: { a: 1 } };
const LINE = JSON.stringify(RESULT);
const ONE = { kind: 'one', record: RESULT };

describe('readResult', () => {
  it.each([
    ['one line', LINE],
    ['a record over several lines', JSON.stringify(RESULT, null, 2)],
    ['one JSON value a line', `{"type":"system"}\n${LINE}\n{"type":"tail"}`],
    ['a list of events', `[{"type":"system"},${LINE}]`],
    ['a list among notices', `note\n[{"type":"system"},${LINE}]\nnote`],
    ['a byte order mark', `\ufeff${LINE}`],
    ['carriage returns', `note\r\n${LINE}\r\n`],
    ['colours around it', `\x1b[1;31m${LINE}\x1b[0m\x07`],
    ['a window title before it', `\x1b]0;a {title}\x07${LINE}`],
    ['an unfinished title on another line', `\x1b]0;title\n${LINE}`],
    ['a warning with braces of its own', `WARN {"type":"result"}\n${LINE}`],
    ['a broken line that begins like JSON', `{"type":"result"\n${LINE}`],
  ])('finds it in %s', (_, stdout) => {
    expect(readResult(stdout)).toEqual(ONE);
  });

  it.each([
    ['nothing', ''],
    ['prose', 'All done.'],
    ['cut text', LINE.slice(0, -1)],
    ['other records', '{"type":"assistant"}\nnull\n7\n"result"\n[null,3]'],
    ['a record inside another one', `{"type":"assistant","message":${LINE}}`],
    ['a record inside a text', JSON.stringify({ type: 'assistant', text: LINE })],
    ['a record behind other text', `log: ${LINE}`],
  ])('finds none in %s', (_, stdout) => {
    expect(readResult(stdout)).toEqual({ kind: 'none' });
  });

  it('decision 14: two are not one, even when they are the same', () => {
    expect(readResult(`${LINE}\n${LINE}`)).toEqual({ kind: 'several', count: 2 });
  });

  it('finds it after any number of events, and in none of them', () => {
    const events = [
      { type: 'assistant', message: { content: [{ type: 'text', text: LINE }] } },
      { type: 'user', tool_use_result: RESULT },
    ].map((event) => JSON.stringify(event));
    expect(readResult([...events, LINE].join('\n'))).toEqual(ONE);
    expect(readResult(events.join('\n'))).toEqual({ kind: 'none' });
  });

  it('leaves control characters alone where a record may hold them', () => {
    const record = { ...RESULT, structured_output: { notes_md: 'a\u009b31mb\u007f' } };
    expect(readResult(JSON.stringify(record))).toEqual({ kind: 'one', record });
  });

  it('reads noise in linear time', () => {
    const noise = ['\x1b]', '\x1b[', '[', '{', ' '].map((part) => part.repeat(400_000)).join('\n');
    expect(readResult(`${noise}\n${LINE}`)).toEqual(ONE);
  });
});

describe('replyOf', () => {
  it.each([
    ['another subtype', { subtype: 'error_max_turns' }],
    ['no subtype', { subtype: undefined }],
    ['an error', { is_error: true }],
    ['no word about an error', { is_error: undefined }],
    ['a text for false', { is_error: 'false' }],
    ['null', { structured_output: null }],
    ['no output', { structured_output: undefined }],
  ])('has none with %s', (_, over) => {
    expect(replyOf({ ...RESULT, ...over })).toBeUndefined();
  });
});

describe('plainLines', () => {
  it('are those that do not begin like JSON, without control sequences', () => {
    expect(plainLines(`\x1b[31mone\x1b[0m\r\n\n{"cut\n [1\n  two  `)).toEqual(['one', 'two']);
  });
});
