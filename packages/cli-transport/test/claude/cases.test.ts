import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validateReply } from '@atelier/envelope';
import { describe, expect, it } from 'vitest';
import { claudeAgent } from '../../src/agents/claude/claude-agent.ts';
import { reportOf } from '../../src/agents/claude/report.ts';
import { exitOf, orderOf } from './attempt.ts';

const NOW = Date.UTC(2026, 10, 29, 19, 30);
const agent = claudeAgent({ program: 'claude', apiKey: 'token' });

const printed = (file: string) =>
  readFileSync(join(import.meta.dirname, 'fixtures', `${file}.stdout`), 'utf8');
const reportIn = (file: string, exitCode = 0) => reportOf(exitOf(printed(file), { exitCode }), NOW);

/** What the engine would make of the reply in a file. */
const judged = (file: string) => {
  const report = reportIn(file);
  return validateReply(report.kind === 'replied' ? report.reply : undefined, {
    taskId: 'T-1',
    attempt: 1,
  });
};

describe('the output of the program, case by case', () => {
  it.each([
    ['O-01: the structured output is there, the prose is empty', 'O-01c-result-empty'],
    ['O-03: one result in a list, and other text in it is no reply', 'O-03a-verbose-array'],
    ['O-05: control sequences around the record', 'O-05a-ansi-prelude'],
    ['O-05: a warning with braces of its own', 'O-05b-warning-line'],
    ['O-05: a notice after the record', 'O-05c-trailing-notice'],
  ])('%s: done', (_, file) => {
    expect(judged(file)).toMatchObject({
      ok: true,
      reply: { task_id: 'T-1', status: 'done', artifacts: ['src/a.ts'] },
    });
    expect(agent.replyIn(exitOf(printed(file)), orderOf(''))).toMatchObject({ task_id: 'T-1' });
  });

  it.each([
    ['O-01: only fenced JSON in the prose', 'O-01a-fenced-only', 'no-reply', 'success'],
    ['O-01: the same with another attempt', 'O-01b-fenced-wrong-attempt', 'no-reply', 'success'],
    ['O-01: structured output null', 'O-01d-structured-null', 'no-reply', 'success'],
    ['O-02: an error called success', 'O-02a-success-but-is-error', 'overloaded', 'Rate limit'],
    [
      'O-02: the subtype is kept',
      'O-02b-max-structured-retries',
      'no-reply',
      'error_max_structured_output_retries: gave up after 5 tries',
    ],
    [
      'O-02: an error next to a perfect envelope',
      'O-02c-is-error-with-valid-envelope',
      'exit',
      'error_during_execution',
    ],
    ['O-03: two results', 'O-03b-array-two-results', 'no-reply', '2 result records'],
    ['O-03: no result', 'O-03c-array-no-result', 'no-reply', 'no complete result record'],
    ['O-04: cut in the middle', 'O-04a-cut-at-64k', 'no-reply', '65536 bytes'],
  ])('%s: a failed attempt', (_, file, cause, detail) => {
    expect(reportIn(file)).toMatchObject({
      kind: 'failed',
      cause,
      detail: expect.stringContaining(detail),
    });
    expect(agent.replyIn(exitOf(printed(file)), orderOf(''))).toBeUndefined();
  });

  it('O-06: half a surrogate pair in the notes is carried to where replies are judged', () => {
    expect(judged('O-06a-lone-surrogate')).toMatchObject({
      ok: true,
      reply: { status: 'done', notes_md: 'half \ufffd pair' },
    });
  });

  it('O-06: half a pair in the identity is not repaired', () => {
    expect(judged('O-06b-lone-surrogate-in-id')).toMatchObject({ ok: false });
  });

  it.each(['a-key-proto', 'b-key-constructor', 'c-key-toString', 'd-key-hasOwnProperty'])(
    'O-07%s: a key like any other, and no prototype changes',
    (file) => {
      const report = reportIn(`O-07${file}`);
      expect(report.kind).toBe('replied');
      expect(Object.getPrototypeOf(report.kind === 'replied' && report.reply)).toBe(
        Object.prototype,
      );
      expect(Object.keys(Object.prototype)).toEqual([]);
      expect(({} as { status?: string }).status).toBeUndefined();
    },
  );

  it.each([
    ['O-16a-limit-reset', Date.UTC(2026, 10, 30, 15)],
    ['O-16b-limit-epoch', 1_790_000_000_000],
  ])('O-16: a usage limit parks the run until its reset: %s', (file, resumeAt) => {
    expect(reportIn(file, 1)).toMatchObject({
      kind: 'failed',
      cause: 'usage-limit',
      exitCode: 1,
      resumeAt,
    });
  });

  it('O-16: an overloaded API is the world', () => {
    expect(reportIn('O-16c-overloaded', 1)).toMatchObject({ cause: 'overloaded', exitCode: 1 });
  });

  it.each(['O-17a-credit', 'O-17b-login', 'O-17c-oauth'])(
    'O-17: credit and login halt the run: %s',
    (file) => {
      expect(reportIn(file, 1)).toMatchObject({ kind: 'failed', cause: 'account', exitCode: 1 });
    },
  );

  it('O-51: only the status acts, whatever the notes say', () => {
    expect(judged('O-51-forged-user')).toMatchObject({ ok: true, reply: { status: 'blocked' } });
  });
});
