import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { CONFINEMENTS, stage } from './stage.ts';

/** Runs a fixture under a shell that has a file at 200 and a folder at 201, and gives what it printed. */
async function underLeakyShell(folder: string, fixture: string, options: object): Promise<string> {
  writeFileSync(join(folder, 'secret'), 'not for workers\n');
  mkdirSync(join(folder, 'outside'));
  const host = join(import.meta.dirname, `fixtures/${fixture}.mjs`);
  const leak = 'exec 200<"$1/secret" 201<"$1/outside"; shift; exec "$@"';
  const given = [folder, process.execPath, host, JSON.stringify(options)];
  const child = spawn('bash', ['-c', leak, 'leaky', ...given], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return said;
}

/** What a worker tries with descriptors that are not its own. */
const TRIES = [
  'cat /proc/self/fd/200 >seen 2>/dev/null',
  'echo x >/proc/self/fd/201/planted 2>/dev/null',
  'echo tried >>seen',
].join('\n');

it.each(CONFINEMENTS)(
  '%s no descriptor of whoever started the host reaches a worker',
  async (_, { kind }) => {
    const at = stage({ kind: 'attested-host', attestedBy: 'the tests' });
    onTestFinished(() => at.close());
    const said = await underLeakyShell(at.folder, 'host', {
      program: at.script(`cat >/dev/null\n${TRIES}`),
      runDir: at.runDir,
      orders: [at.order()],
      sandboxed: kind === 'sandboxed',
    });
    expect(said).toBe('started\nended\n');
    expect(readFileSync(join(at.worktree, 'seen'), 'utf8')).toBe('tried\n');
    expect(existsSync(join(at.folder, 'outside/planted'))).toBe(false);
  },
  60_000,
);

it.each(CONFINEMENTS)(
  '%s none reaches a command',
  async (_, { kind }) => {
    const at = stage({ kind: 'attested-host', attestedBy: 'the tests' });
    onTestFinished(() => at.close());
    const said = await underLeakyShell(at.folder, 'shell-host', {
      runDir: at.runDir,
      call: { command: TRIES, worktree: at.worktree, timeoutMs: 20_000 },
      sandboxed: kind === 'sandboxed',
    });
    expect(said).toBe('started\nended\n');
    expect(readFileSync(join(at.worktree, 'seen'), 'utf8')).toBe('tried\n');
    expect(existsSync(join(at.folder, 'outside/planted'))).toBe(false);
  },
  60_000,
);
