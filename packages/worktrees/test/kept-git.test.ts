import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { clone, git, scratch } from './scratch.ts';

const WAIT = { timeout: 50_000, interval: 50 };

/** The gits, and the shells that start them, that have a text in their command line. */
function processesOf(text: string): string[] {
  const commandOf = (pid: string): string => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    } catch {
      return '';
    }
  };
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(commandOf)
    .filter((command) => /^(?:git|\/bin\/sh)\0/.test(command) && command.includes(text));
}

/** A host that asks what keeps a git, and then has nothing to do, or goes on for ever. */
function host(dir: string, then: string) {
  const folder = scratch();
  const entry = join(import.meta.dirname, '../dist/index.js');
  writeFileSync(
    join(folder, 'host.mjs'),
    `import { openRepository } from ${JSON.stringify(entry)};
const held = () =>
  String(process.getActiveResourcesInfo().filter((name) => /Process|Pipe|Timeout/.test(name)));
console.log('begins');
const before = held();
const repository = await openRepository({ dir: ${JSON.stringify(dir)} });
const run = await repository.startRun({ runId: 'r', root: ${JSON.stringify(join(folder, 'run'))} });
await run.tree(run.base);
await run.carve({ taskId: 't', attempt: 1 });
console.log('asked', held() === before || held());
${then}`,
  );
  const running = spawn(process.execPath, [join(folder, 'host.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said = new Promise<string>((resolve) =>
    running.stdout.on('data', (text) => `${text}`.includes('asked') && resolve(`${text}`)),
  );
  const ended = new Promise<unknown>((resolve) =>
    running.on('exit', (code, signal) => resolve(code ?? signal)),
  );
  return { running, said, ended, folder };
}

/** Whether a git, and a shell that starts gits, is kept for a run. */
const areKept = (dir: string, folder: string): boolean[] =>
  [dir, folder].map((text) => processesOf(text).length > 0);

const NONE = [false, false];
const BOTH = [true, true];

it('the git that is kept does not keep a host that is done', async () => {
  const dir = clone();
  const { said, ended, folder } = host(dir, '');
  expect(await said).toContain('asked true');
  expect(await ended).toBe(0);
  await vi.waitFor(() => expect(areKept(dir, folder)).toEqual(NONE), WAIT);
});

it('it ends with a host that is killed, and with the run', async () => {
  const dir = clone();
  const killed = host(dir, 'setInterval(() => undefined, 1000);');
  expect(await killed.said).toContain('asked');
  expect(areKept(dir, killed.folder)).toEqual(BOTH);
  killed.running.kill('SIGKILL');
  expect(await killed.ended).toBe('SIGKILL');
  await vi.waitFor(() => expect(areKept(dir, killed.folder)).toEqual(NONE), WAIT);
  git(dir, 'branch', '-D', '-q', 'atelier/r');

  const over = host(dir, 'await run.tidy(() => false); setInterval(() => undefined, 1000);');
  expect(await over.said).toContain('asked');
  await vi.waitFor(() => expect(areKept(dir, over.folder)).toEqual(NONE), WAIT);
  over.running.kill('SIGKILL');
  await over.ended;
});
