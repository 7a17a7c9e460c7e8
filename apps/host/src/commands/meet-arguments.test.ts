import { expect, test } from 'vitest';
import { UsageError } from '../command.ts';
import { parseMeetArguments } from './meet-arguments.ts';
import { parseRunArguments } from './run-arguments.ts';

test('a plan, and the rest has defaults', () => {
  expect(parseMeetArguments(['plan.yaml'])).toMatchObject({
    ...{ file: 'plan.yaml', agent: 'claude', agentArgs: [], json: false, help: false },
    ...{ rounds: undefined, minutes: undefined },
  });
  expect(
    parseMeetArguments(['p', '--rounds', '20', '--agent-arg', 'a', '--agent-arg', 'b']),
  ).toMatchObject({
    ...{ rounds: 20, agentArgs: ['a', 'b'] },
  });
  expect(parseMeetArguments(['p', '--budget', '12k', '--budget', '$2', '--anew'])).toMatchObject({
    ...{ budget: { tokens: 12_000, usd: 2 }, anew: true },
  });
  expect(parseMeetArguments(['-h']).help).toBe(true);
});

test.each([
  [[]],
  [['a', 'b']],
  [['a', '--rounds', '0']],
  [['a', '--rounds', '21']],
  [['a', '--rounds', '1e1']],
  [['a', '--minutes', 'n', '--rounds', '2']],
  [['a', '--minutes', 'n', '--agent', 'claude']],
  [['a', '--minutes', 'n', '--budget', '1k']],
  [['a', '--budget', 'much']],
])('%j is refused', (args) => {
  expect(() => parseMeetArguments(args)).toThrow(UsageError);
});

test('a run that has begun holds no meeting: resume refuses --meet', () => {
  expect(parseRunArguments('run', ['p', '--meet']).meet).toBe(true);
  expect(() => parseRunArguments('resume', ['--meet'])).toThrow(/before the dispatch/u);
});
