import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { clone, git, scratch } from './scratch.ts';

const WAIT = { timeout: 50_000, interval: 50 };

/** The processes that have a text in their command line, but for hosts. */
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
    .filter((command) => command.startsWith('git') && command.includes(text));
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
  return { running, said, ended };
}

it('the git that is kept does not keep a host that is done', async () => {
  const dir = clone();
  const { said, ended } = host(dir, '');
  expect(await said).toContain('asked true');
  expect(await ended).toBe(0);
  await vi.waitUntil(() => processesOf(dir).length === 0, WAIT);
});

it('it ends with a host that is killed, and with the run', async () => {
  const dir = clone();
  const killed = host(dir, 'setInterval(() => undefined, 1000);');
  expect(await killed.said).toContain('asked');
  expect(processesOf(dir).length).toBeGreaterThan(0);
  killed.running.kill('SIGKILL');
  expect(await killed.ended).toBe('SIGKILL');
  await vi.waitUntil(() => processesOf(dir).length === 0, WAIT);
  git(dir, 'branch', '-D', '-q', 'atelier/r');

  const over = host(dir, 'await run.tidy(() => false); setInterval(() => undefined, 1000);');
  expect(await over.said).toContain('asked');
  await vi.waitUntil(() => processesOf(dir).length === 0, WAIT);
  over.running.kill('SIGKILL');
  await over.ended;
});
