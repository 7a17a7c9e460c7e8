import { expect, test } from 'vitest';
import { UsageError } from '../command.ts';
import { parsePlanArguments } from './plan-arguments.ts';

test('--repo stands whatever else is asked for', () => {
  expect(parsePlanArguments(['p.yaml', '--repo', 'x'])).toMatchObject({
    ...{ repo: 'x', replay: undefined },
  });
  const words = ['--replay', '--repo', 'x', '--agent-arg', 'a', '--wall-clock', '90s'];
  expect(parsePlanArguments(['p.yaml', ...words])).toMatchObject({
    ...{ repo: 'x', replay: { agentArgs: ['a'], wallClockMs: 90_000 } },
  });
});

test.each([
  [['--agent-arg', 'a']],
  [['--wall-clock', '90s']],
  [['--replay', '--graph']],
  [['--json', '--graph']],
])('%j is refused: a word would have no effect', (words) => {
  expect(() => parsePlanArguments(['p.yaml', ...words])).toThrow(UsageError);
});
