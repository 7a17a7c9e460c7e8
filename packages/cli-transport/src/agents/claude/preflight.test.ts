import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claudeAgent } from './claude-agent.ts';

const FLAGS = [
  ...['--print', '--output-format', '--json-schema', '--model', '--permission-mode'],
  ...['--setting-sources', '--strict-mcp-config', '--disable-slash-commands'],
  ...['--no-session-persistence', '--session-id', '--max-budget-usd', '--tools'],
];

describe('preflight', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'atelier-preflight-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const preflightOf = async (script: string, over: object = {}) => {
    const program = join(folder, 'claude');
    await writeFile(program, `#!/bin/sh\n${script}\n`);
    await chmod(program, 0o755);
    await claudeAgent({ program, apiKey: 'token', ...over }).preflight?.();
  };
  const answering = (version: string, flags: readonly string[]) =>
    `if [ "$1" = --version ]; then echo '${version}'; else echo '${flags.join(' <x>\n  ')}'; fi`;

  it('passes a program of the pinned major version with every flag', async () => {
    await preflightOf(answering('2.9.9 (Claude Code)', FLAGS));
  });

  it('asks in an empty environment and leaves nothing behind', async () => {
    const seen = join(folder, 'seen');
    await preflightOf(`env >> '${seen}'; touch "$HOME/x"\n${answering('2.1.332', FLAGS)}`);
    const names = (await readFile(seen, 'utf8')).match(/^\w+(?==)/gm) ?? [];
    const shell = ['PWD', 'OLDPWD', '_', 'SHLVL'];
    expect([...new Set(names)].filter((name) => !shell.includes(name)).sort()).toEqual([
      'DISABLE_AUTOUPDATER',
      'HOME',
      'PATH',
    ]);
    expect((await readdir(folder)).sort()).toEqual(['claude', 'seen']);
  });

  it.each([
    ['CLAUDE_VERSION', answering('3.0.0 (Claude Code)', FLAGS)],
    ['CLAUDE_VERSION', answering('20.1.0', FLAGS)],
    ['CLAUDE_VERSION', 'echo no number'],
    ['CLAUDE_BROKEN', 'echo sorry >&2; exit 3'],
    ['CLAUDE_FLAGS', answering('2.1.0', FLAGS.slice(1))],
    ['CLAUDE_FLAGS', answering('2.1.0', [...FLAGS.slice(0, -1), '--tools-extra', 'no--tools'])],
  ])('%s: %s', async (code, script) => {
    await expect(preflightOf(script)).rejects.toMatchObject({ code, hint: expect.any(String) });
  });

  it('names a program that is not there', async () => {
    const agent = claudeAgent({ program: join(folder, 'nowhere'), apiKey: 'token' });
    await expect(agent.preflight?.()).rejects.toMatchObject({ code: 'PROGRAM_NOT_FOUND' });
  });

  it('names a socket that is not there, or is none', async () => {
    const good = answering('2.1.332', FLAGS);
    for (const name of ['api.sock', 'claude']) {
      await expect(preflightOf(good, { apiSocket: join(folder, name) })).rejects.toMatchObject({
        code: 'CLAUDE_API_SOCKET',
      });
    }
  });
});
