import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codexAgent } from './codex-agent.ts';

const NO_PROMPT = 'echo "No prompt provided via stdin." >&2; exit 1';

describe('preflight', () => {
  let folder: string;
  let server: Server;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'atelier-preflight-'));
    server = createServer();
    await new Promise<void>((resolve) => server.listen(join(folder, 'api.sock'), resolve));
  });
  afterEach(async () => {
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true, force: true });
  });

  const preflightOf = async (script: string, socket = 'api.sock') => {
    const program = join(folder, 'codex');
    await writeFile(program, `#!/bin/sh\n${script}\n`);
    await chmod(program, 0o755);
    await codexAgent({ program, apiSocket: join(folder, socket) }).preflight?.();
  };
  const answering = (version: string, call = NO_PROMPT) =>
    `if [ "$1" = --version ]; then echo '${version}'; else ${call}; fi`;

  it('passes a program from the measured version upward that takes the call', async () => {
    for (const version of ['0.171.0', '0.171.4', '0.200.1'])
      await preflightOf(answering(`codex-cli ${version}`));
  });

  it('makes the whole call, without a briefing, in an empty environment, and leaves nothing behind', async () => {
    const seen = join(folder, 'seen');
    const call = `echo "$@" >'${seen}'; env >>'${seen}'; cat >>'${seen}'; touch "$HOME/x"; ${NO_PROMPT}`;
    await preflightOf(answering('codex-cli 0.171.0', call));
    const text = await readFile(seen, 'utf8');
    expect(text).toMatch(/^exec --json .*--strict-config .*--config features\.hooks=false.* -\n/);
    const shell = ['PWD', 'OLDPWD', '_', 'SHLVL'];
    const names = text.match(/^\w+(?==)/gm) ?? [];
    expect(names.filter((name) => !shell.includes(name)).sort()).toEqual(['HOME', 'PATH']);
    expect((await readdir(folder)).sort()).toEqual(['api.sock', 'codex', 'seen']);
  });

  it.each([
    ['CODEX_VERSION', answering('codex-cli 0.170.9')],
    ['CODEX_VERSION', answering('codex-cli 1.0.0')],
    ['CODEX_VERSION', answering('codex 0.171.0')],
    ['CODEX_BROKEN', 'exit 3'],
    ['CODEX_FLAGS', answering('codex-cli 0.171.0', 'exit 0')],
    ['CODEX_FLAGS', answering('codex-cli 0.171.0', 'echo "unknown field x" >&2; exit 1')],
  ])('%s: %s', async (code, script) => {
    await expect(preflightOf(script)).rejects.toMatchObject({ code, hint: expect.any(String) });
  });

  it('says why the call is not taken', async () => {
    const call = 'echo "unknown configuration field x" >&2; exit 1';
    await expect(preflightOf(answering('codex-cli 0.171.0', call))).rejects.toThrow(
      'unknown configuration field x',
    );
  });

  it('names a program that is not there, and a socket that is not there, or is none', async () => {
    const good = answering('codex-cli 0.171.0');
    for (const socket of ['none', 'codex'])
      await expect(preflightOf(good, socket)).rejects.toMatchObject({ code: 'CODEX_API_SOCKET' });
    const agent = codexAgent({ program: join(folder, 'nowhere'), apiSocket: '/s' });
    await expect(agent.preflight?.()).rejects.toMatchObject({ code: 'PROGRAM_NOT_FOUND' });
  });
});
