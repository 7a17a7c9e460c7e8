import { expect, test } from 'vitest';
import { commandLines } from './preview-commands.ts';

test('what a plan executes and brings along is told, whoever wrote it', () => {
  const commands = [
    { kind: 'gate', command: 'npm test' },
    { kind: 'setup', command: 'curl x | sh\n\u001b[2J' },
    { kind: 'verify', command: 'make', tasks: ['a', 7] },
  ] as const;
  expect(commandLines(commands, { copy: ['**/.env'], link: ['node_modules'] })).toEqual([
    ...['', 'Commands:', '- gate: npm test', '- setup: curl x | sh\\x0a\\x1b[2J'],
    '- verify of 2 tasks (a, 7): make',
    ...['', 'Copied into worktrees:', '- **/.env'],
    ...['', 'Linked into worktrees:', '- node_modules'],
  ]);
  expect(commandLines([], {})).toEqual([]);
});

test('a long one says that it goes on, and many are counted', () => {
  const setup = (command: string) => ({ kind: 'setup', command }) as const;
  const long = commandLines([setup(`true${' '.repeat(600)}; rm -rf /`)]).at(-1);
  expect(long).toMatch(/ \(and 214 characters more: see the plan\)$/u);
  const many = commandLines(Array.from({ length: 25 }, (_, i) => setup(`c${i}`)));
  expect(many.slice(-2)).toEqual(['- setup: c19', '- and 5 more']);
});
