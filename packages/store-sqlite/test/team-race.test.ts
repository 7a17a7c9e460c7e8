import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../src/index.ts';
import { storePath } from './store-file.ts';
import { message, registerTeam, TEAM } from './team-file.ts';
import { teamRace } from './team-race.ts';

teamRace({ processes: 8, rounds: 8, messages: 6 });
teamRace({ processes: 2, rounds: 4, messages: 25 });

/** The last message that a child told as sent before it was killed. */
function killedSender(path: string, after: number): Promise<number> {
  const file = join(import.meta.dirname, 'fixtures/team-send.mjs');
  const child = spawn(process.execPath, [file, path]);
  child.stderr.pipe(process.stderr, { end: false });
  let told = '';
  child.stdout.on('data', (chunk) => {
    told += chunk;
    if (told.split('\n').length > after) child.kill('SIGKILL');
  });
  return new Promise((resolve) => {
    child.on('close', () => resolve(Number(told.split('\n').at(-2))));
  });
}

test('TB-06 TB-03 a sender killed in its loop leaves whole messages without a gap, and no lock', async () => {
  const path = storePath();
  const first = openStore({ path });
  registerTeam(first, 'ann');
  first.close();
  const told = await killedSender(path, 7);
  const store = openStore({ path, busyTimeoutMs: 0 });
  onTestFinished(() => store.close());
  const { wire } = store.team;
  const last = wire.lastSeq(TEAM, 'lead');
  expect(last).toBeGreaterThanOrEqual(told);
  expect(last).toBeLessThanOrEqual(told + 1);
  const rows = wire.messages({ teamId: TEAM });
  expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1));
  expect(rows.filter(({ problem }) => problem !== null)).toEqual([]);
  expect(wire.sendAll([message()])).toMatchObject([{ seq: last + 1 }]);
});
