import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFakeLoom } from '@atelier/fake-loom';
import { openStore } from '@atelier/store-sqlite';
import { expect, test } from 'vitest';
import { openChat } from './chat.ts';
import { chatNames } from './chat-names.ts';
import { MOST_IN_FILES } from './long-texts.ts';

test('what agents say fills no disk: past a bound the chat has the beginning, and why there is no more', async () => {
  const root = mkdtempSync(join(tmpdir(), 'atelier-chat-'));
  const loom = await startFakeLoom();
  const store = openStore({ path: ':memory:' });
  try {
    const { teams } = store.team;
    teams.create({ teamId: 'r', runId: 'r', project: 'p', leadRole: 'team-lead' });
    const warnings: string[] = [];
    const chat = await openChat(
      {
        ...{ runId: 'r', root, roles: ['worker'], tasks: [], names: chatNames(store.team) },
        warn: (message) => void warnings.push(message),
      },
      { whole: { LOOM_MCP_URL: loom.url } },
    );
    await chat.kickoff('tea', []);
    for (let turn = 1; turn <= 5; turn += 1) chat.say('worker', `${turn}`.repeat(1_000_000));
    await chat.teardown();
    const files = readdirSync(join(root, '.loom/temp'), { recursive: true, encoding: 'utf8' })
      .map((name) => statSync(join(root, '.loom/temp', name)))
      .filter((file) => file.isFile() && file.size > 1000);
    expect(files).toHaveLength(4);
    expect(files.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(MOST_IN_FILES);
    const last = loom.messages().at(-1)?.body;
    expect(last).toMatch(/^5+… \(cut: the long texts of this run have filled the files/u);
    expect([warnings, loom.sessions()]).toEqual([[], 0]);
  } finally {
    store.close();
    await loom.close();
    rmSync(root, { recursive: true });
  }
});
