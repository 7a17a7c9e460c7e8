import type { AttemptReport, FailCause } from '@atelier/engine';
import { expect, it } from 'vitest';
import { completedReport } from './completed-report.ts';
import type { PassRecord } from './pass.ts';

const failed = (cause: FailCause, more: object = {}): AttemptReport => ({
  ...{ kind: 'failed', cause, detail: 'own words' },
  ...more,
});
const record = (more: Partial<PassRecord> = {}): PassRecord => ({
  ...{ usage: {}, wasCut: false },
  ...more,
});
const limit = record({ trouble: { kind: 'limit', resumeAt: 7 } });
const account = record({ trouble: { kind: 'account', detail: 'refused' } });
const cut = record({ wasCut: true });

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
  ['cut', failed('interrupted'), cut, { cause: 'budget' }],
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
