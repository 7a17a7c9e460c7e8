import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { teamScene } from '../../test/team-scene.ts';
import { dispatchModeOf, markDispatchMode } from '../team/dispatch-mode.ts';

const at = teamScene();
afterAll(() => at.remove());

const folder = join(at.repo, '.ai');
const marker = join(folder, 'atelier.mode');

beforeEach(() => rmSync(folder, { recursive: true, force: true }));

const mark = (text: string) => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(marker, text);
};

const never = async (): Promise<string> => {
  throw new Error('somebody was asked');
};

const env = (mode: string) => ({ env: { ATELIER_DISPATCH_MODE: mode } });

/** As the command line reads it, without its process. */
const modeHere = (mode?: string) =>
  dispatchModeOf({ topLevel: at.repo }, { ATELIER_DISPATCH_MODE: mode });

it('hard rule: the mode is read back from the marker and nobody is ever asked for it', async () => {
  const set = await at.atelier(['mode', 'set', 'agent-team'], { ask: never });
  expect(set).toEqual({ code: 0, stdout: 'The mode is agent-team.\n', stderr: '' });
  const get = await at.atelier(['mode', 'get'], { ask: never });
  expect(get.stdout).toBe('agent-team (.ai/atelier.mode)\n');
  expect(readFileSync(marker, 'utf8')).toBe('agent-team\n');
});

it('the environment comes before the marker, and the marker before subagent', async () => {
  expect(modeHere()).toEqual({ mode: 'subagent', source: 'default' });
  mark('agent-team\n');
  expect(modeHere('  ')).toEqual({ mode: 'agent-team', source: 'marker' });
  const { stdout } = await at.atelier(['mode', 'get', '--json'], env(' subagent '));
  expect(JSON.parse(stdout)).toEqual({ version: 1, mode: 'subagent', source: 'environment' });
});

it('set tells when the environment says another mode', async () => {
  const { stderr } = await at.atelier(['mode', 'set', 'agent-team'], env('subagent'));
  expect(stderr).toBe('ATELIER_DISPATCH_MODE says subagent, and comes before .ai/atelier.mode.\n');
});

it.each([
  [['set', 'team'], undefined, 'the mode says team'],
  [['set', 'subagent'], 'bridge', 'ATELIER_DISPATCH_MODE says bridge'],
  [['get'], 'Agent-Team', 'ATELIER_DISPATCH_MODE says Agent-Team'],
])(
  'mode %j with %j in the environment exits with 2, and nothing is written',
  async (args, mode, says) => {
    const { code, stdout, stderr } = await at.atelier(['mode', ...args], mode ? env(mode) : {});
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`UNKNOWN_DISPATCH_MODE: ${says}`);
    expect(stderr).toContain('Use subagent or agent-team;');
    expect(existsSync(folder)).toBe(false);
  },
);

it('an unknown marker exits with 2, and set mends it', async () => {
  mark('swarm\n');
  const { code, stderr } = await at.atelier(['mode', 'get']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('.ai/atelier.mode says swarm')]);
  expect((await at.atelier(['mode', 'set', 'subagent'])).code).toBe(0);
});

it.each([
  ['two lines', 'agent-team\nsubagent\n'],
  ['a line and a blank one', 'agent-team\n\n'],
  ['a control character', 'agent-team\u0000'],
  ['a tab', '\tagent-team\n'],
  ['an escape', '\u001b[1magent-team\n'],
  ['an unseen character', 'agent-\u200bteam\n'],
  ['no end', `agent-team${' '.repeat(10_000)}\n`],
])('a marker with %s is no known mode', (_, text) => {
  mark(text);
  expect(() => modeHere()).toThrow(expect.objectContaining({ code: 'UNKNOWN_DISPATCH_MODE' }));
  expect(modeHere('subagent').source).toBe('environment');
});

it.each([
  ['', 'default'],
  [' \n', 'default'],
  ['agent-team', 'marker'],
  ['agent-team\r\n', 'marker'],
  ['  agent-team  \n', 'marker'],
])('%j is a marker of the %s', (text, source) => {
  mark(text);
  expect(modeHere().source).toBe(source);
});

it('a folder that is a link is refused by name where a marker is behind it, and none is followed to write', async () => {
  const elsewhere = join(at.folder, 'elsewhere');
  mkdirSync(elsewhere, { recursive: true });
  writeFileSync(join(elsewhere, 'atelier.mode'), 'agent-team\n');
  symlinkSync(elsewhere, folder);
  for (const args of [
    ['mode', 'get'],
    ['mode', 'set', 'subagent'],
  ]) {
    const { code, stderr } = await at.atelier(args);
    expect([code, stderr]).toEqual([2, expect.stringContaining('.ai is a symbolic link')]);
  }
  expect(readdirSync(elsewhere)).toEqual(['atelier.mode']);
  rmSync(folder);
  writeFileSync(folder, '');
  // Of another tool: whoever wants none of this is asked for nothing.
  expect(modeHere()).toEqual({ mode: 'subagent', source: 'default' });
  expect(() => markDispatchMode({ topLevel: at.repo }, 'subagent')).toThrow('.ai is no folder');
});

it('a marker that is a link or a folder is refused; set puts a file in the place of a link', () => {
  const target = at.file('target', 'agent-team\n');
  mkdirSync(folder);
  symlinkSync(target, marker);
  expect(() => modeHere()).toThrow('.ai/atelier.mode is a symbolic link');
  markDispatchMode({ topLevel: at.repo }, 'subagent');
  expect(modeHere()).toEqual({ mode: 'subagent', source: 'marker' });
  expect(readFileSync(target, 'utf8')).toBe('agent-team\n');
  rmSync(marker);
  mkdirSync(marker);
  expect(() => modeHere()).toThrow('.ai/atelier.mode is no plain file');
  expect(() => markDispatchMode({ topLevel: at.repo }, 'subagent')).toThrow('can not be written');
  expect(readdirSync(folder).sort()).toEqual(['.gitignore', 'atelier.mode']);
});

it('the marker hides itself from git, and leaves what else is in the folder alone', () => {
  markDispatchMode({ topLevel: at.repo }, 'agent-team');
  expect(at.git('status', '--porcelain')).toBe('');
  writeFileSync(join(folder, 'notes.md'), 'mine');
  expect(at.git('status', '--porcelain', '-uall')).toBe('?? .ai/notes.md\n');
  writeFileSync(join(folder, '.gitignore'), '# mine\n');
  markDispatchMode({ topLevel: at.repo }, 'subagent');
  expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('# mine\n');
  expect(lstatSync(marker).isFile()).toBe(true);
});
