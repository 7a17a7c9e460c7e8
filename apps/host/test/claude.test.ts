import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { type ModelServer, ROUTES, startModelServer } from '@atelier/model-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Scene, scene } from './host-process.ts';

const FETCH = join(import.meta.dirname, '../../../tooling/setup/fetch-agents.mjs');

let server: ModelServer;
let folderOfClaude = '';

beforeAll(async () => {
  // The first fetch is a download of 186 MB.
  folderOfClaude = dirname(execFileSync(process.execPath, [FETCH], { encoding: 'utf8' }).trim());
  server = await startModelServer(ROUTES);
}, 900_000);

afterAll(() => server.close());

const run = (at: Scene, tasks: readonly object[]) =>
  at.atelier(
    ['run', at.plan(tasks), '--agent', 'claude', '--max-attempts', '1', '--run-mode', 'balanced'],
    {
      PATH: `${folderOfClaude}:${process.env['PATH']}`,
      ANTHROPIC_BASE_URL: server.url,
      ANTHROPIC_API_KEY: 'dummy-key',
    },
  );

/** A task whose scripted model does what the marker says. */
const task = (id: string, marker: string, more: object = {}) => ({
  id,
  parallel_group: 1,
  description: marker,
  ...more,
});

describe('the real claude program through the whole host', () => {
  it('a two-wave plan succeeds and its files are merged', async () => {
    const at = scene();
    const ended = await run(at, [
      task('one', '[[write]]'),
      task('two', '[[write]]', { parallel_group: 2, depends_on: ['one'] }),
    ]);
    expect(ended.stdout).toContain('2 of 2 tasks done');
    const branch = at.git('branch', '--list', 'atelier/*', '--format=%(refname:short)').trim();
    expect(at.git('show', `${branch}:one.txt`)).toBe('made by one\n');
    expect(at.git('show', `${branch}:two.txt`)).toBe('made by two\n');
    // The key went out by the host's side of the socket; the worker had only a token.
    expect(new Set(server.requests.map(({ apiKey }) => apiKey))).toEqual(new Set(['dummy-key']));
  });

  it('a model that never hands in a reply is a failed attempt, whatever it says', async () => {
    const at = scene();
    const ended = await run(at, [task('one', '[[prose]]')]);
    expect(ended.code).toBe(3);
    expect(ended.stdout).toMatch(/capacity.*no-reply/s);
  });

  it('a 401 halts the run: one loud message, the others at 0 attempts', async () => {
    const at = scene();
    const ended = await run(at, [
      task('one', '[[401]]'),
      task('two', '[[write]]', { parallel_group: 2 }),
    ]);
    expect(ended.code).toBe(4);
    expect(ended.stdout).toMatch(/parked/);
    expect(ended.stdout).toMatch(/two +pending +0/);
  });
});
