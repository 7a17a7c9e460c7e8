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
