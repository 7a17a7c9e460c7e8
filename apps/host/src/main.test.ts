import { expect, test } from 'vitest';
import { main } from './main.ts';

const atelier = async (...args: string[]) => {
  const written = { stdout: '', stderr: '' };
  const code = await main(args, {
    stdout: { write: (text) => (written.stdout += text) },
    stderr: { write: (text) => (written.stderr += text) },
  });
  return { code, ...written };
};

test.each(['--help', '-h'])('%s explains the command', async (flag) => {
  const { code, stdout, stderr } = await atelier(flag);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('plan         check a plan');
});

test('--version is the version of the package', async () => {
  expect(await atelier('--version')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/u),
  });
});

test('without a command the help goes to stderr', async () => {
  expect(await atelier()).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('Usage'),
  });
});

test.each([
  [['pln'], 'there is no command "pln". Did you mean plan?'],
  [['\u001b[2J'], 'there is no command "\\x1b[2J". See atelier --help.'],
  [['toString'], 'there is no command "toString"'],
  [['plan'], 'plan needs a FILE'],
  [['plan', 'a', 'b'], 'plan takes one FILE, got 2'],
  [['plan', '--jsn', 'a'], "Unknown option '--jsn'"],
  [['plan', 'a', '--max-attempts'], "Option '--max-attempts <value>' argument missing"],
  [
    ['plan', 'a', '--max-attempts', '0'],
    '--max-attempts must be an integer of at least 1, got "0"',
  ],
  [['plan', 'a', '--max-attempts', '1e3'], '--max-attempts must be an integer'],
  [['plan', 'a', '--max-attempts', '9'.repeat(30)], '--max-attempts must be an integer'],
  [['plan', 'a', '--max-attempts', '6'], 'add --raise-caps'],
])('%j is refused in one line, without a stack', async (args, message) => {
  const { code, stdout, stderr } = await atelier(...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(message);
  expect(stderr).toMatch(/^atelier: [^\n]+\n$/u);
});

test('plan --help explains its options', async () => {
  expect(await atelier('plan', '--help')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('--max-attempts N'),
  });
});
