import type { Task } from '@atelier/engine';
import { type FakeLoom, startFakeLoom } from '@atelier/fake-loom';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { teamScene } from '../../test/team-scene.ts';
import { openChat } from './chat.ts';
import { chatNames } from './chat-names.ts';
import { teamOfRun } from './current-team.ts';

const at = teamScene();
let loom: FakeLoom;
beforeEach(async () => {
  at.clear();
  loom = await startFakeLoom();
});
afterEach(() => loom.close());
afterAll(() => at.remove());

const TASKS: readonly Task[] = [{ id: 'api', parallel_group: 1, assigned_persona: 'api-1' }];

type Home = Parameters<Parameters<typeof at.within>[0]>[0];

/** What a host does for the chat of a run before anything is dispatched. */
async function begin(home: Home, runId: string, names = chatNames(home.store.team)) {
  teamOfRun(home, runId);
  const env = { LOOM_MCP_URL: loom.url };
  const chat = await openChat(
    { runId, root: at.folder, roles: ['api-1'], tasks: TASKS, names, warn: () => undefined },
    { whole: env },
  );
  await chat.kickoff('Ship it.', TASKS);
  return chat;
}

/** A host that is killed: its sessions go, its names stay. */
const killed = (runId: string) =>
  at.within(async (home) => {
    await begin(home, runId);
    loom.restart();
  });

const active = () =>
  loom
    .agents()
    .filter(({ status }) => status === 'active')
    .map(({ name }) => name);

const leftBefore = (runId: string) =>
  at.within(({ store }) => chatNames(store.team).leftBefore(runId));

it('41: names of a host that was killed are signed off by the next one, exactly these', async () => {
  await killed('r-1');
  expect(active()).toEqual(['team-lead', 'api-1']);
  expect(await leftBefore('r-2')).toEqual([
    { channel: 'cycle-r-1', names: ['team-lead', 'api-1'] },
  ]);
  await at.within(async (home) => {
    const stranger = chatNames(home.store.team);
    // Somebody else of this machine: in the same chat, and in no ledger of this clone.
    const other = await begin(home, 'x-1', {
      ...stranger,
      save: () => undefined,
      leftBefore: () => [],
    });
    await (await begin(home, 'r-2')).teardown();
    expect(active()).toEqual(['team-lead-2', 'api-1-2']);
    await other.teardown();
  });
  expect(await leftBefore('r-3')).toEqual([]);
});

it('41: a run that goes on signs off its own, and what is on another server stays for later', async () => {
  await killed('r-1');
  const first = loom;
  loom = await startFakeLoom();
  await at.within(async (home) => (await begin(home, 'r-2')).teardown());
  expect(await leftBefore('r-3')).toHaveLength(1);
  await loom.close();
  loom = first;
  await at.within(async (home) => (await begin(home, 'r-1')).teardown());
  expect(active()).toEqual([]);
  expect(await leftBefore('r-3')).toEqual([]);
});

it('a ledger that fails and a chat that breaks change nothing', async () => {
  await killed('r-1');
  await at.within(async (home) => {
    const fails = () => {
      throw new Error('disk full');
    };
    const broken = { save: fails, load: fails, leftBefore: fails, forget: fails };
    const chat = await begin(home, 'r-2', broken);
    expect(chat.available).toBe(true);
    await chat.teardown();
    expect(chat.came().chat?.unrecorded).toBeGreaterThan(0);
    loom.fail(({ tool }) => (tool === 'list_channels' ? 'reset' : undefined));
    await (await begin(home, 'r-3')).teardown();
  });
  expect(await leftBefore('r-4')).toHaveLength(1);
});
