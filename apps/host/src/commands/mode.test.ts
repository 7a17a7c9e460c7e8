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
import { openRepository } from '@atelier/worktrees';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { teamScene } from '../../test/team-scene.ts';
import { dispatchModeOf, markDispatchMode } from '../team/dispatch-mode.ts';

const at = teamScene();
afterAll(() => at.remove());

const folder = join(at.repo, '.ai');
const marker = join(folder, 'atelier.mode');

beforeEach(() => {
  for (const path of [folder, join(at.repo, '.git/atelier')])
    rmSync(path, { recursive: true, force: true });
});

const mark = (text: string) => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(marker, text);
};

const clone = openRepository({ dir: at.repo });

const env = (mode: string) => ({ env: { ATELIER_DISPATCH_MODE: mode } });

/** As the command line reads it, without its process. */
const modeHere = async (mode?: string) =>
  dispatchModeOf(await clone, { ATELIER_DISPATCH_MODE: mode });

const PLAN = at.file(
  'plan.json',
  JSON.stringify({
    goal: 'g',
    tasks: [{ id: 'a', parallel_group: 1, title: 't', description: 'd', writes: ['a'] }],
  }),
);

/** A run on a terminal, which ends after its last question: there is no branch to merge into. */
async function runAsking() {
  at.git('checkout', '--quiet', '--detach');
  const questions: string[] = [];
  const ask = async (question: string) => {
    questions.push(question);
    return '';
  };
  const said = await at.atelier(['run', PLAN, '--merge', 'ff'], { ask });
  at.git('checkout', '--quiet', 'main');
  return { ...said, questions };
}

it('hard rule: the mode is read back from the marker, and nobody is ever asked for it', async () => {
  const set = await at.atelier(['mode', 'set', 'agent-team']);
  expect(set).toEqual({ code: 0, stdout: 'The mode is agent-team.\n', stderr: '' });
  expect((await at.atelier(['mode', 'get'])).stdout).toBe('agent-team (.ai/atelier.mode)\n');
  expect(readFileSync(marker, 'utf8')).toBe('agent-team\n');
  // What a run asks a person is why it should begin in this phase, and how much it may spend: with a marker and without.
  const gated = await runAsking();
  expect(gated.questions).toEqual([expect.stringContaining('A reason to go on all the same')]);
  expect(gated.stderr).toContain('PHASE_GATE');
  rmSync(marker);
  // A commit that brings a marker and one that takes it out leave none: what a person has said holds all the same.
  const still = await runAsking();
  expect(still.stderr).toMatch(/^warning: atelier mode set has said agent-team .* that holds/u);
  expect(still.stderr).toContain('PHASE_GATE');
  await at.atelier(['mode', 'set', 'subagent']);
  rmSync(marker);
  const free = await runAsking();
  expect(free.questions).toEqual([expect.stringMatching(/^Run mode: /u)]);
  expect(free.stderr).toContain('MERGE_DETACHED');
});

it('the environment comes before the marker, and the marker before subagent', async () => {
  expect(await modeHere()).toEqual({ mode: 'subagent', source: 'default' });
  mark('agent-team\n');
  expect(await modeHere('  ')).toEqual({ mode: 'agent-team', source: 'marker' });
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
])('a marker with %s is no known mode', async (_, text) => {
  mark(text);
  await expect(modeHere()).rejects.toMatchObject({ code: 'UNKNOWN_DISPATCH_MODE' });
  expect((await modeHere('subagent')).source).toBe('environment');
});

it.each([
  ['', 'default'],
  [' \n', 'default'],
  ['agent-team', 'marker'],
  ['agent-team\r\n', 'marker'],
  ['  agent-team  \n', 'marker'],
])('%j is a marker of the %s', async (text, source) => {
  mark(text);
  expect((await modeHere()).source).toBe(source);
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
  expect(await modeHere()).toEqual({ mode: 'subagent', source: 'default' });
  const here = await clone;
  expect(() => markDispatchMode(here, 'subagent')).toThrow('.ai is no folder');
});

it('a marker that is a link or a folder is refused; set puts a file in the place of a link', async () => {
  const here = await clone;
  const target = at.file('target', 'agent-team\n');
  mkdirSync(folder);
  symlinkSync(target, marker);
  await expect(modeHere()).rejects.toThrow('.ai/atelier.mode is a symbolic link');
  markDispatchMode(here, 'subagent');
  expect(await modeHere()).toEqual({ mode: 'subagent', source: 'marker' });
  expect(readFileSync(target, 'utf8')).toBe('agent-team\n');
  rmSync(marker);
  mkdirSync(marker);
  await expect(modeHere()).rejects.toThrow('.ai/atelier.mode is no plain file');
  expect(() => markDispatchMode(here, 'subagent')).toThrow('can not be written');
  expect(readdirSync(folder).sort()).toEqual(['.gitignore', 'atelier.mode']);
});

it('the marker hides itself from git, and leaves what else is in the folder alone', async () => {
  markDispatchMode(await clone, 'agent-team');
  expect(at.git('status', '--porcelain')).toBe('');
  writeFileSync(join(folder, 'notes.md'), 'mine');
  expect(at.git('status', '--porcelain', '-uall')).toBe('?? .ai/notes.md\n');
  writeFileSync(join(folder, '.gitignore'), '# mine\n');
  markDispatchMode(await clone, 'subagent');
  expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('# mine\n');
  expect(lstatSync(marker).isFile()).toBe(true);
});

it('git is asked only where a marker is', async () => {
  const deaf = {
    ...(await clone),
    tracks: async () => {
      throw new Error('git was asked');
    },
  };
  expect(await dispatchModeOf(deaf, {})).toEqual({ mode: 'subagent', source: 'default' });
  mark('agent-team\n');
  await expect(dispatchModeOf(deaf, {})).rejects.toThrow('git was asked');
});

describe('a marker that git tracks, which a commit of anybody may have brought', () => {
  const track = (text: string) => {
    mark(text);
    at.git('add', '--force', '.ai/atelier.mode');
  };
  afterEach(() => at.git('rm', '--cached', '--quiet', '--force', '--ignore-unmatch', marker));

  it('sets no gate, and says what to do', async () => {
    track('agent-team\n');
    const get = await at.atelier(['mode', 'get']);
    expect(get).toMatchObject({ code: 0, stdout: 'subagent (nothing else is set)\n' });
    expect(get.stderr).toMatch(
      /^warning: \.ai\/atelier\.mode is tracked .*git rm --cached \.ai\/atelier\.mode, then .*atelier mode set/u,
    );
    const run = await runAsking();
    expect(run.stderr).toContain(`${get.stderr}MERGE_DETACHED`);
    mark('swarm\n');
    expect(await modeHere()).toMatchObject({ mode: 'subagent', source: 'default' });
  });

  it('drops no gate: a merge of git itself may put it in the place of a person’s', async () => {
    await at.atelier(['mode', 'set', 'agent-team']);
    track('subagent\n');
    expect(await modeHere()).toMatchObject({ mode: 'agent-team', source: 'said' });
    expect((await runAsking()).stderr).toContain('PHASE_GATE');
  });

  it('counts again once it is taken out, and whatever the environment says counts without asking', async () => {
    track('agent-team\n');
    expect(await modeHere('agent-team')).toEqual({ mode: 'agent-team', source: 'environment' });
    at.git('rm', '--cached', '--quiet', marker);
    expect(await modeHere()).toEqual({ mode: 'agent-team', source: 'marker' });
  });
});

it('another worktree of the clone has the mode of the main one, unless it has its own or git tracks that', async () => {
  const dir = join(at.folder, 'linked');
  at.git('worktree', 'add', '--quiet', '--detach', dir);
  const linked = await openRepository({ dir });
  const mode = () => dispatchModeOf(linked, {});
  expect(await mode()).toEqual({ mode: 'subagent', source: 'default' });
  mark('agent-team\n');
  expect(await mode()).toEqual({ mode: 'agent-team', source: 'main-worktree' });
  at.git('add', '--force', '.ai/atelier.mode');
  expect(await mode()).toMatchObject({ mode: 'subagent', warning: expect.any(String) });
  at.git('rm', '--cached', '--quiet', marker);
  markDispatchMode(linked, 'subagent');
  expect(await mode()).toEqual({ mode: 'subagent', source: 'marker' });
  at.git('worktree', 'remove', '--force', dir);
});
