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

test.each([['salvage'], ['salvage', 'list'], ['salvage', 'show'], ['salvage', 'restore']])(
  '%s %s --help explains itself',
  async (...args) => {
    const { code, stdout, stderr } = await atelier(...args, '--help');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.startsWith(`Usage: atelier ${args.join(' ')}`)).toBe(true);
  },
);

test.each([
  [['salvage'], 'salvage needs list, show or restore. See atelier salvage --help.'],
  [['salvage', 'lst'], 'salvage has no "lst". Did you mean list?'],
  [['salvage', '\u001b[2J'], 'salvage has no "\\x1b[2J". See'],
  [['salvage', 'list', 'x'], 'salvage list takes no name'],
  [['salvage', 'list', '--branch', 'x'], 'salvage list has no --branch'],
  [['salvage', 'list', '--attempt', '1'], 'salvage list has no --attempt'],
  [['salvage', 'show', '--to', 'x', 'a'], 'salvage show has no --to'],
  [['salvage', 'show'], 'it takes one TASK or REF'],
  [['salvage', 'show', 'a', 'b'], 'salvage show takes one TASK or REF'],
  [['salvage', 'show', 'a', '--attempt', '0'], '--attempt must be an integer of at least 1'],
  [['salvage', 'show', 'a', '--frobnicate'], "Unknown option '--frobnicate'"],
  [['salvage', 'restore', 'a'], 'either --branch NAME or --to DIR'],
  [['salvage', 'restore', 'a', '--to', 'b', '--branch', 'c'], 'either --branch NAME or --to DIR'],
  [['salvage', 'restore', 'a', 'b', '--to', 'c'], 'salvage restore takes one TASK or REF'],
  [['salvage', 'restore', 'a', '--branch', '--to'], "'--branch' argument is ambiguous"],
  [['salvage', 'list', '--repo', '/usr'], 'NOT_A_REPOSITORY'],
])('%j is refused in one line', async (args, message) => {
  const { code, stdout, stderr } = await atelier(...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(message);
  expect(stderr).toMatch(/^[^\n]+\n$/u);
});
