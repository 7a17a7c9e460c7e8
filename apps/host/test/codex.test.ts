import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { RESPONSES_ROUTES, startResponsesServer } from '@atelier/model-server';
import { expect, it } from 'vitest';
import { scene } from './host-process.ts';

const FETCH = join(import.meta.dirname, '../../../tooling/setup/fetch-agents.mjs');

it('the real codex program through the whole host: what it makes is merged, and the key stays outside', async () => {
  const [program = ''] = execFileSync(process.execPath, [FETCH, 'codex'], { encoding: 'utf8' })
    .trim()
    .split('\n');
  const server = await startResponsesServer(RESPONSES_ROUTES);
  const at = scene();
  const tasks = [{ id: 'one', parallel_group: 1, description: '[[write]]' }];
  const limits = ['--max-attempts', '1', '--run-mode', 'balanced'];
  const ended = await at.atelier(['run', at.plan(tasks), '--agent', 'codex', ...limits], {
    PATH: `${dirname(program)}:${process.env['PATH']}`,
    OPENAI_BASE_URL: server.url,
    OPENAI_API_KEY: 'dummy-key',
  });
  await server.close();
  expect([ended.code, ended.stdout]).toEqual([0, expect.stringContaining('1 of 1 task done')]);
  expect(JSON.stringify(server.requests)).toContain('dummy-key');
  const branch = at.git('branch', '--list', 'atelier/*', '--format=%(refname:short)').trim();
  expect(at.git('ls-tree', '--name-only', branch)).toContain('one.txt');
}, 900_000);
