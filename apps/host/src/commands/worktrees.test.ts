import { expect, test } from 'vitest';
import { main } from '../main.ts';

const atelier = async (...args: string[]) => {
  const written = { stdout: '', stderr: '' };
  const code = await main(args, {
    stdout: { write: (text) => (written.stdout += text) },
    stderr: { write: (text) => (written.stderr += text) },
  });
  return { code, ...written };
};

test.each([['worktrees'], ['worktrees', 'list'], ['worktrees', 'gc']])(
  '%s %s --help explains itself',
  async (...args) => {
    const { code, stdout, stderr } = await atelier(...args, '--help');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.startsWith(`Usage: atelier ${args.join(' ')}`)).toBe(true);
  },
);

test.each([
  [['worktrees'], 'worktrees needs list or gc. See atelier worktrees --help.'],
  [['worktrees', 'lsit'], 'worktrees has no "lsit". Did you mean list?'],
  [['worktrees', 'list', '--max', '1'], 'worktrees list has no --max'],
  [['worktrees', 'list', '--unfinished'], 'worktrees list has no --unfinished'],
  [['worktrees', 'gc', 'all'], 'all'],
  [['worktrees', 'gc', '--max', '2G'], '--max must be a size, got "2G". Write it as 500MB'],
  [['worktrees', 'gc', '--max=-1'], '--max must be a size, got "-1"'],
  [['worktrees', 'gc', '--max', ''], '--max must be a size, got ""'],
  [['worktrees', 'gc', '--frobnicate'], "Unknown option '--frobnicate'"],
  [['worktrees', 'list', '--repo', '/usr'], 'NOT_A_REPOSITORY'],
])('%j is refused in one line', async (args, message) => {
  const { code, stdout, stderr } = await atelier(...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(message);
  expect(stderr).toMatch(/^[^\n]+\n$/u);
});
