import { expect, test } from 'vitest';
import { UsageError } from '../command.ts';
import { asksForPlan, parsePlanFromArguments } from './plan-from-arguments.ts';

test('--from asks for a plan; a file does not', () => {
  expect(asksForPlan(['--from', 'x'])).toBe(true);
  expect(asksForPlan(['--json', '--from=x'])).toBe(true);
  expect(asksForPlan(['plan.json', '--json'])).toBe(false);
});

test('the goal is one text, and the rest has defaults', () => {
  expect(parsePlanFromArguments(['--from', 'Serve tea'])).toEqual({
    ...{ goal: 'Serve tea', output: 'atelier.plan.json', force: false, json: false, help: false },
    ...{ agent: 'claude', agentArgs: [] },
  });
  expect(
    parsePlanFromArguments(['--from=-x', '-o', 'p.json', '--agent-arg', 'a', '--agent-arg', 'b']),
  ).toMatchObject({ goal: '-x', output: 'p.json', agentArgs: ['a', 'b'] });
});

test.each([
  [['--from', ' ']],
  [['--from']],
  [['--from', 'x', 'plan.json']],
  [['--from', 'x', '--graph']],
  [['--from', 'x', '--output']],
])('%j is refused', (args) => {
  expect(() => parsePlanFromArguments(args)).toThrow(UsageError);
});
