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

test.each([
  ...[['mode'], ['mode', 'get'], ['mode', 'set'], ['gate', 'check'], ['gate', 'bypass']],
  ...[['phase'], ['phase', 'get'], ['phase', 'advance'], ['phase', 'force']],
  ...[
    ['phase', 'history'],
    ['phase', 'transitions'],
    ['plan', '--approve'],
  ],
  ...[['roster'], ['roster', 'list'], ['roster', 'show'], ['roster', 'propose'], ['roster', 'ack']],
  ...[
    ['roster', 'proposals'],
    ['roster', 'refuse'],
    ['roster', 'admit'],
  ],
  ...[['side-query', 'record'], ['ack'], ['retry'], ['post-mortem'], ['audit', 'list'], ['report']],
])('%s %s --help explains itself', async (...args) => {
  const { code, stdout, stderr } = await atelier(...args, '--help');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain(`atelier ${args.join(' ')}`);
});

const REASON = ['--reason', 'r'];
const AGENT = ['--agent', 'a'];

test.each([
  [['mode'], 'mode needs get or set. See atelier mode --help.'],
  [['mode', 'unset'], 'mode has no "unset"'],
  [['mode', 'set'], 'mode set needs a MODE. See atelier mode set --help.'],
  [['mode', 'set', 'agent-team', 'x'], 'mode set has no use for "x"'],
  [['mode', 'get', '--jsn'], "Unknown option '--jsn'"],
  [['phase'], 'phase needs get, advance, force, history or transitions'],
  [['phase', 'advnce'], 'Did you mean advance?'],
  [['phase', 'advance'], 'phase advance needs a PHASE'],
  [['phase', 'force', 'tdd:red', ...AGENT], 'phase force needs --reason'],
  [['phase', 'force', 'tdd:red', ...AGENT, '--reason', ' '], 'phase force needs --reason'],
  [['phase', 'force', 'tdd:red', ...REASON], 'phase force needs --agent'],
  [['phase', 'get', 'x\u001b'], 'phase get has no use for "x\\x1b"'],
  [['gate', 'check'], 'gate check needs a SKILL'],
  [['gate', 'bypass', 'dev:dispatch', ...AGENT], 'gate bypass needs --reason'],
  [['gate', 'bypass', 'dev:dispatch', ...REASON, '--agent', ''], 'gate bypass needs --agent'],
  [['plan', '--approve'], 'plan --approve needs a FILE'],
  [['plan', '--approve', 'a', 'b'], 'plan --approve has no use for "b"'],
  [['plan', '--approve', 'a', '--json'], "Unknown option '--json'"],
  [['roster', 'show'], 'roster show needs an ID'],
  [['roster', 'propose', 'x', '--by', 'a'], 'roster propose needs --description'],
  [['roster', 'ack'], 'roster ack needs a PROPOSAL'],
  [['roster', 'ack', '1', '--by', 'ann'], "Unknown option '--by'"],
  [['roster', 'admit', '1', '--hash', '0'], "Unknown option '--hash'"],
  [['side-query', 'record'], 'side-query record needs --worker'],
  [['side-query', 'record', '--worker', 'a', '--prompt', 'p'], 'record needs --response'],
  [
    ['side-query', 'record', '--worker', 'a', '--prompt', '-', '--response', '-'],
    'both texts from the standard input',
  ],
  [['ack'], 'ack needs a TASK'],
  [['ack', 'a', 'b'], 'ack has no use for "b"'],
  [['retry', '--answer', 'x'], 'retry needs a TASK'],
  [['post-mortem', 'a'], 'post-mortem needs --reason'],
  [['audit'], 'audit needs list'],
  [['audit', 'list', '--limit', '0'], '--limit must be an integer from 1 to 10000, got "0"'],
  [['audit', 'list', 'x'], 'audit list has no use for "x"'],
  [['report', '--md', '--json'], 'report prints --md or --json, not both'],
  [['mode', 'get', '--repo', '/usr'], 'NOT_A_REPOSITORY'],
])('%j is refused in one line', async (args, message) => {
  const { code, stdout, stderr } = await atelier(...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(message);
  expect(stderr).toMatch(/^[^\n]+\n$/u);
});
