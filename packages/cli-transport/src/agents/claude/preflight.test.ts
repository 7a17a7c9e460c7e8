import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claudeAgent } from './claude-agent.ts';

const FLAGS = [
  ...['--print', '--output-format', '--verbose', '--json-schema', '--model', '--permission-mode'],
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

  it.each(['2.1.332', '2.1.333', '2.2.0', '2.10.1'])(
    'passes version %s with every flag: the measured one, or a later one of its major version',
    async (version) => {
      await preflightOf(answering(`${version} (Claude Code)`, FLAGS));
    },
  );

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
    ['CLAUDE_VERSION', answering('2.1.331 (Claude Code)', FLAGS)],
    ['CLAUDE_VERSION', answering('2.0.999 (Claude Code)', FLAGS)],
    ['CLAUDE_VERSION', answering('1.9.999 (Claude Code)', FLAGS)],
    ['CLAUDE_VERSION', answering('20.1.0', FLAGS)],
    ['CLAUDE_VERSION', 'echo no number'],
    ['CLAUDE_BROKEN', 'echo sorry >&2; exit 3'],
    ['CLAUDE_FLAGS', answering('2.1.332', FLAGS.slice(1))],
    ['CLAUDE_FLAGS', answering('2.1.332', [...FLAGS.slice(0, -1), '--tools-extra', 'no--tools'])],
  ])('%s: %s', async (code, script) => {
    await expect(preflightOf(script)).rejects.toMatchObject({ code, hint: expect.any(String) });
  });

  it('names a program that is not there', async () => {
    const agent = claudeAgent({ program: join(folder, 'nowhere'), apiKey: 'token' });
    await expect(agent.preflight?.()).rejects.toMatchObject({ code: 'PROGRAM_NOT_FOUND' });
  });

  it('refuses a folder that would let workers see more than the API', async () => {
    const server = createServer();
    const api = join(folder, 'api');
    const apiSocket = join(api, 'api.sock');
    await mkdir(api);
    await new Promise<void>((resolve) => server.listen(apiSocket, resolve));
    try {
      const over = { apiKey: undefined, apiSocket };
      await preflightOf(answering('2.1.332', FLAGS), over);
      await writeFile(join(api, 'control.sock'), '');
      await expect(preflightOf(answering('2.1.332', FLAGS), over)).rejects.toMatchObject({
        code: 'CLAUDE_API_SOCKET',
        message: expect.stringContaining('control.sock'),
      });
    } finally {
      server.close();
    }
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
