import type { WorkOrder } from '@atelier/engine';
import { describe, expect, it } from 'vitest';
import type { AgentExit } from '../agent.ts';
import { commandAgent } from './command.ts';

const agent = commandAgent({ program: 'agent', args: ['--fast'], read: ['/etc/agent.conf'] });

const order: WorkOrder = {
  runId: 'run',
  task: { id: 'T-1', parallel_group: 1 },
  attempt: 1,
  nonce: 'n0nce',
  briefing: 'do it',
  wallClockMs: 1_000,
};

const reply = {
  type: 'task_result',
  task_id: 'T-1',
  attempt: 1,
  status: 'done',
  artifacts: ['a.ts'],
  notes_md: 'made it',
};

const exit = (given: Partial<AgentExit>): AgentExit => ({
  stdout: '',
  stderr: '',
  replyText: undefined,
  stdoutBytes: 0,
  exitCode: 0,
  signal: undefined,
  endedAfterReply: false,
  ...given,
});

const report = (given: Partial<AgentExit>) => agent.report(exit(given), order);
const said = (value: object, extra: object = {}) => JSON.stringify({ ...value, ...extra });

describe('the command agent', () => {
  it('hands the briefing over on standard input, never as an argument', () => {
    const place = { worktree: '/w', home: '/h', replyFile: '/r' };
    expect(agent.call(order, place)).toEqual({
      program: 'agent',
      args: ['--fast'],
      read: ['/etc/agent.conf'],
      env: {},
      stdin: 'do it',
    });
  });

  it('takes the reply file before standard output, and never both', () => {
    expect(report({ replyText: said(reply), stdout: said(reply, { status: 'blocked' }) })).toEqual({
      kind: 'replied',
      reply,
    });
    expect(report({ replyText: '{"type":"task_', stdout: said(reply) })).toMatchObject({
      cause: 'no-reply',
    });
  });

  it('takes a result line of standard output', () => {
    const stdout = `hello\n{"type":"log","x":1}\n${said(reply)}\nbye\n`;
    expect(report({ stdout })).toEqual({ kind: 'replied', reply });
    expect(agent.replyIn(exit({ stdout }), order)).toEqual(reply);
  });

  it('takes a result that is printed twice, but not two that differ', () => {
    const reordered = JSON.stringify(Object.fromEntries(Object.entries(reply).reverse()));
    expect(report({ stdout: `${said(reply)}\n${reordered}` })).toEqual({ kind: 'replied', reply });
    const two = { stdout: `${said(reply)}\n${said(reply, { status: 'blocked' })}` };
    expect(report(two)).toMatchObject({
      cause: 'no-reply',
      detail: expect.stringContaining('two'),
    });
    expect(agent.replyIn(exit(two), order)).toBeUndefined();
  });

  it('takes at most 16 lines that look like a result', () => {
    expect(report({ stdout: `${said(reply)}\n`.repeat(16) })).toEqual({ kind: 'replied', reply });
    const wrapped = `${said({ type: 'log', about: reply })}\n`;
    for (const line of [`${said(reply)}\n`, wrapped]) {
      const many = { stdout: `${said(reply)}\n${line.repeat(16)}` };
      expect(report(many)).toEqual({
        kind: 'failed',
        cause: 'no-reply',
        detail: expect.stringContaining('too many replies'),
      });
      expect(agent.replyIn(exit(many), order)).toBeUndefined();
    }
  });

  it('takes at most 2 MiB of lines that look like a result, a repeated one counted once', () => {
    const long = said(reply, { notes_md: 'x'.repeat(1024 * 1024 - 200) });
    expect(report({ stdout: `${long}\n`.repeat(16) })).toMatchObject({ kind: 'replied' });
    const spaced = [1, 2].map((count) => long.replace('{', `{${' '.repeat(count)}`));
    expect(report({ stdout: [long, spaced[0]].join('\n') })).toMatchObject({ kind: 'replied' });
    expect(report({ stdout: [long, ...spaced].join('\n') })).toMatchObject({
      cause: 'no-reply',
      detail: expect.stringContaining('too many replies'),
    });
  });

  it('passes over any number of lines that only name a result', () => {
    const noise = `"task_result"\n{"type":"log","about":"task_result"}\n`.repeat(100_000);
    expect(report({ stdout: `${noise}${said(reply)}\n${noise}` })).toEqual({
      kind: 'replied',
      reply,
    });
  }, 20_000);

  it('passes over a result line that is too deep or too long', () => {
    const deep = (depth: number) =>
      `{"type":"task_result","a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    const long = said(reply, { notes_md: 'x'.repeat(1024 * 1024) });
    for (const refused of [deep(500), deep(20_000), deep(10_000_000), long]) {
      expect(report({ stdout: `${refused}\n${refused}` })).toMatchObject({
        cause: 'no-reply',
        detail: 'it left no reply file and printed no result',
      });
      expect(report({ stdout: `${said(reply)}\n${refused}\n` })).toEqual({
        kind: 'replied',
        reply,
      });
    }
    expect(report({ stdout: `${deep(499)}\n${deep(499)}` })).toMatchObject({ kind: 'replied' });
  }, 20_000);

  it('refuses a reply file that is nested too deep', () => {
    const deep = (depth: number) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    expect(report({ replyText: deep(499) })).toMatchObject({ kind: 'replied' });
    for (const depth of [500, 20_000, 4_000_000])
      expect(report({ replyText: deep(depth), stdout: said(reply) })).toMatchObject({
        cause: 'no-reply',
        detail: expect.stringContaining('500'),
      });
  });

  it('compares results by what they say: all values, lists in order, keys in any', () => {
    const line = (a: string) => `{"type":"task_result","a":${a}}`;
    const both = (a: string, b: string) => report({ stdout: `${line(a)}\n${line(b)}` }).kind;
    expect(both('{"x":[1,{"y":"z","w":null}],"b":1.0}', '{"b":1,"x":[1,{"w":null,"y":"z"}]}')).toBe(
      'replied',
    );
    for (const [a, b] of [
      ['1', '"1"'],
      ['null', '"null"'],
      ['null', '1e999'],
      ['[1,2]', '[2,1]'],
      ['[]', '{}'],
      ['["a,b"]', '["a","b"]'],
      ['{"x":1}', '{"x":1,"y":null}'],
      ['{"__proto__":{"x":1}}', '{"__proto__":{"x":2}}'],
    ] as const)
      expect(both(a, b)).toBe('failed');
  });

  it('does not look into a record that is no result', () => {
    const wrapped = JSON.stringify({ type: 'result', structured_output: reply });
    expect(report({ stdout: wrapped })).toMatchObject({ cause: 'no-reply' });
  });

  it('takes a nonce out that is right, and refuses a reply whose nonce is not', () => {
    const right = { replyText: said(reply, { nonce: 'n0nce' }) };
    expect(report(right)).toEqual({ kind: 'replied', reply });
    expect(agent.replyIn(exit(right), order)).toEqual(reply);
    for (const nonce of ['other', null, 1, ''])
      for (const key of ['replyText', 'stdout'] as const) {
        const wrong = { [key]: said(reply, { nonce }) };
        expect(report(wrong)).toMatchObject({
          cause: 'no-reply',
          detail: expect.stringContaining('nonce'),
        });
        expect(agent.replyIn(exit(wrong), order)).toBeUndefined();
      }
  });

  it('fails with an exit code other than 0 and keeps the reply, unless it was ended after it', () => {
    const ended = { replyText: said(reply), exitCode: 3 };
    expect(report(ended)).toEqual({
      kind: 'failed',
      cause: 'exit',
      detail: 'exit code 3',
      exitCode: 3,
      reply,
    });
    expect(report({ ...ended, endedAfterReply: true })).toEqual({ kind: 'replied', reply });
    expect(report({ exitCode: undefined, signal: 'SIGSEGV' })).toEqual({
      kind: 'failed',
      cause: 'exit',
      detail: 'ended by SIGSEGV',
    });
  });

  it('judges nothing: an envelope that says nonsense is handed on', () => {
    const nonsense = { type: 'task_result', status: 'perfect' };
    expect(report({ stdout: said(nonsense) })).toEqual({ kind: 'replied', reply: nonsense });
    expect(report({ replyText: '{}' })).toEqual({ kind: 'replied', reply: {} });
  });
});
