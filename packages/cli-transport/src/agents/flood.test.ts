import { expect, it } from 'vitest';
import { exitOf } from '../../test/claude/attempt.ts';
import { eventReader as claudeReader } from './claude/event-reader.ts';
import { plainLines } from './claude/output-lines.ts';
import { reportOf as claudeReport } from './claude/report.ts';
import { eventReader as codexReader } from './codex/event-reader.ts';
import { reportOf as codexReport } from './codex/report.ts';

const MIB = 1024 * 1024;
const flood = (line: string, size = 4 * MIB) => line.repeat(Math.floor(size / line.length));
const LIMIT = 'Claude AI usage limit reached|1796074312';

/** Lines that cost a parser far more than they cost whoever prints them. */
const LINES = [
  '["result"\n',
  '{"type":"result"}}\n',
  '{"type":"result"\n',
  '{"error"\n',
  '{"error"}\n',
  '{"type":"x}\n',
  '{"rate_limit_event"}\n',
  'a\n',
  '\n',
];

// Minutes, where each line is parsed or cut out.
it.each(LINES)(
  '4 MiB of %j are a failed attempt without holding up the host',
  (line) => {
    const exit = exitOf(flood(line), { exitCode: 1 });
    expect(claudeReport(exit, 0)).toMatchObject({ kind: 'failed' });
    expect(codexReport(exit, 0)).toMatchObject({ kind: 'failed' });
  },
  10_000,
);

it.each(LINES)(
  '1 MiB of %j show nothing to those who watch',
  (line) => {
    const lines = flood(line, MIB).split('\n');
    for (const reader of [claudeReader(), codexReader()]) expect(reader.read(lines)).toEqual([]);
  },
  10_000,
);

it('a limit that the program tells of before or behind a flood counts, and in its middle none', () => {
  const noise = flood('a\n', 2 * MIB);
  const causeOf = (stdout: string) => claudeReport(exitOf(stdout, { exitCode: 1 }), 0);
  expect(causeOf(`${LIMIT}\n${noise}`)).toMatchObject({ cause: 'usage-limit' });
  expect(causeOf(`${noise}${LIMIT}`)).toMatchObject({ cause: 'usage-limit' });
  expect(causeOf(`${noise}${LIMIT}\n${noise}`)).toMatchObject({ cause: 'exit' });
});

it('no part of a line is taken for a line where a long text is cut', () => {
  const long = `${'x'.repeat(40_000)}one`;
  const seen = (text: string) => plainLines(text).map((line) => line.slice(-3));
  expect(seen(`a\n${long}\n${long}\nb`)).toEqual(['a', 'b']);
  expect(seen(`${long}${long}`)).toEqual([]);
  expect(seen(`a\n${long}\nb`)).toEqual(['a', 'one', 'b']);
});

it('a record behind a hundred broken lines is found, and none behind six hundred', () => {
  const record = { type: 'result', subtype: 'success', is_error: false, structured_output: {} };
  const item = { type: 'agent_message', text: '{"a":1}' };
  const events = [{ type: 'item.completed', item }, { type: 'turn.completed' }, record];
  const good = events.map((event) => `${JSON.stringify(event)}\n`).join('');
  const kinds = (count: number) => {
    const bad = '{"type":"result"}}\n{"type":"error"}}\n'.repeat(count);
    return [claudeReport, codexReport].map((read) => read(exitOf(bad + good), 0).kind);
  };
  expect(kinds(100)).toEqual(['replied', 'replied']);
  expect(kinds(600)).toEqual(['failed', 'failed']);
});
