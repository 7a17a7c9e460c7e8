import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scene } from './host-process.ts';

const Database = createRequire(createRequire(import.meta.url).resolve('@atelier/store-sqlite'))(
  'better-sqlite3',
);

const until = async (isTrue: () => boolean): Promise<void> => {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 50));
};

it('a record that can not be kept any more ends a run that had begun with 1, and is no refusal', async () => {
  const at = scene();
  const host = at.start([
    ...['run', at.plan([{ id: 'a', parallel_group: 1 }])],
    ...[...at.agent('await sleep(2_000); done();'), '--run-mode', 'balanced', '--json'],
  ]);
  const path = join(at.repo, '.git/atelier/atelier.db');
  await until(() => existsSync(path));
  const store = new Database(path, { timeout: 10_000 });
  const spawned = () =>
    store.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'events'").get() !== undefined &&
    store.prepare("SELECT 1 FROM events WHERE type = 'attempt.spawned'").get() !== undefined;
  await until(spawned);
  store.exec('BEGIN IMMEDIATE');
  const { code, stdout, stderr } = await host.ended;
  store.close();
  expect(stderr).toContain('JOURNAL_FAILED');
  expect(code).toBe(1);
  expect(stdout).not.toContain('refused');
});

it('what is refused before it is 2, and says so', async () => {
  const at = scene();
  const agent = ['--agent', 'command:no-such-program-anywhere'];
  const plan = at.plan([{ id: 'a', parallel_group: 1 }]);
  const { code, stdout } = await at.atelier([
    'run',
    plan,
    ...agent,
    '--run-mode',
    'balanced',
    '--json',
  ]);
  expect([code, JSON.parse(stdout)]).toEqual([2, expect.objectContaining({ verdict: 'refused' })]);
});
