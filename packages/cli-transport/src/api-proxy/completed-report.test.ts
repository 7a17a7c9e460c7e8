import type { AttemptReport, FailCause } from '@atelier/engine';
import { expect, it } from 'vitest';
import { completedReport } from './completed-report.ts';
import type { PassRecord } from './pass.ts';

const failed = (cause: FailCause, more: object = {}): AttemptReport => ({
  ...{ kind: 'failed', cause, detail: 'own words' },
  ...more,
});
const record = (more: Partial<PassRecord> = {}): PassRecord => ({
  ...{ usage: {}, wasCut: false, met: undefined, isFromStart: false },
  ...more,
});
const limit = record({ trouble: { kind: 'limit', resumeAt: 7 } });
const account = record({ trouble: { kind: 'account', detail: 'refused' } });
const refused = record({ trouble: { kind: 'request', detail: 'refused by the host' } });
const cut = record({ wasCut: true });
const ceiling = record({ wasCut: true, cutWhy: 'a ceiling' });

it('metered usage fills what the program did not tell; of two counts the larger holds', () => {
  const usage = { inputTokens: 10, outputTokens: 20 };
  const told = { inputTokens: 12, costUsd: 1 };
  const replied: AttemptReport = { kind: 'replied', reply: 1, usage: told };
  expect(completedReport(replied, record({ usage }))).toEqual({
    ...{ kind: 'replied', reply: 1 },
    usage: { inputTokens: 12, outputTokens: 20, costUsd: 1 },
  });
  expect(completedReport(failed('exit'), record())).toEqual(failed('exit'));
});

it.each<[string, AttemptReport, PassRecord, object]>([
  ['limit', failed('exit'), limit, { cause: 'usage-limit', resumeAt: 7 }],
  ['limit', failed('timeout'), limit, { cause: 'usage-limit', resumeAt: 7 }],
  ['limit', failed('usage-limit', { resumeAt: 9 }), limit, { cause: 'usage-limit', resumeAt: 9 }],
  ['limit', failed('interrupted'), limit, { cause: 'interrupted' }],
  ['limit', failed('output-limit'), limit, { cause: 'output-limit' }],
  ['account', failed('overloaded'), account, { cause: 'account', detail: 'refused' }],
  ['account', failed('spawn'), account, { cause: 'spawn', detail: 'own words' }],
  ['request', failed('account'), refused, { cause: 'request', detail: 'refused by the host' }],
  ['request', failed('spawn'), refused, { cause: 'spawn', detail: 'own words' }],
  ['cut', failed('interrupted'), cut, { cause: 'budget' }],
  ['cut', failed('exit'), ceiling, { cause: 'budget', detail: 'it was cut: a ceiling' }],
  ['cut', failed('exit'), cut, { cause: 'budget' }],
  ['cut', failed('unstoppable'), cut, { cause: 'unstoppable' }],
  ['nothing', failed('exit', { exitCode: 3 }), record(), { cause: 'exit', exitCode: 3 }],
])('%s: a failure by %j', (_, report, seen, expected) => {
  expect(completedReport(report, seen)).toMatchObject(expected);
});

it('a reply stays a reply, whatever the proxy met', () => {
  const replied: AttemptReport = { kind: 'replied', reply: 1 };
  for (const seen of [limit, account, cut]) expect(completedReport(replied, seen)).toEqual(replied);
});

it.each<[FailCause, number | undefined, FailCause]>([
  ['usage-limit', undefined, 'exit'],
  ['usage-limit', 0, 'exit'],
  ['usage-limit', 500, 'exit'],
  ['usage-limit', 400, 'usage-limit'],
  ['usage-limit', 429, 'usage-limit'],
  ['account', undefined, 'exit'],
  ['account', 529, 'exit'],
  ['account', 400, 'account'],
  ['account', 404, 'account'],
  ['account', 429, 'account'],
  ['overloaded', undefined, 'exit'],
  ['overloaded', 403, 'exit'],
  ['overloaded', 0, 'overloaded'],
  ['overloaded', 429, 'overloaded'],
  ['overloaded', 529, 'overloaded'],
  ['no-reply', undefined, 'no-reply'],
  ['request', undefined, 'request'],
  ['spawn', undefined, 'spawn'],
])('a program that claims %s, where the API said %s: %s', (claimed, met, cause) => {
  const claim = failed(claimed, { resumeAt: 9, exitCode: 1 });
  const report = completedReport(claim, record({ met, isFromStart: true }));
  expect(report).toMatchObject({ cause, exitCode: 1 });
  if (cause === claimed) expect(report).toEqual(claim);
  else {
    expect(report).toMatchObject({ detail: expect.stringMatching(`${claimed}.*own words`) });
    expect(report).not.toHaveProperty('resumeAt');
  }
});

it('the end of a limit that was met is the one that the API told, to which a program can add minutes', () => {
  const at = Date.UTC(2026, 10, 30);
  const met = record({ trouble: { kind: 'limit', resumeAt: at } });
  for (const [told, resumeAt] of [
    [9_999_999_999_999, at],
    [at + 60_000, at + 60_000],
    [at - 86_400_000, at],
  ])
    expect(completedReport(failed('usage-limit', { resumeAt: told }), met)).toMatchObject({
      resumeAt,
    });
});

it('an account that was refused is not waited for, whatever the program says', () => {
  const report = completedReport(failed('usage-limit', { resumeAt: 9 }), account);
  expect(report).toMatchObject({ cause: 'account' });
  expect(report).not.toHaveProperty('resumeAt');
});

it.each([
  ['nothing was used', {}, { outputTokens: 9e11, costUsd: 9e11 }, undefined],
  [
    'tokens are those that were counted',
    { inputTokens: 10, outputTokens: 20 },
    { inputTokens: 9e11, cacheReadTokens: 9e11, cacheWriteTokens: 0, costUsd: 0.000_1 },
    { inputTokens: 10, outputTokens: 20, cacheWriteTokens: 0, costUsd: 0.000_1 },
  ],
  [
    'no more money than they can cost',
    { outputTokens: 1_000 },
    { costUsd: 9e11 },
    { outputTokens: 1_000, costUsd: 0.1 },
  ],
])('with a proxy from the start: %s', (_, usage, told, expected) => {
  const replied: AttemptReport = { kind: 'replied', reply: 1, usage: told };
  const report = completedReport(replied, record({ usage, isFromStart: true }));
  expect(report.usage).toEqual(expected);
});

it('an overload that a worker met while no host lived, no proxy can have met', () => {
  expect(completedReport(failed('overloaded'), record())).toMatchObject({ cause: 'overloaded' });
  expect(completedReport(failed('account'), record())).toMatchObject({ cause: 'exit' });
});
