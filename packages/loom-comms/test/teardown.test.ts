import type { FakeLoom, Fault } from '@atelier/fake-loom';
import { afterEach, describe, expect, it } from 'vitest';
import { memoryIdentities } from '../src/identity-store.ts';
import { chatOf, chatServer, endAll, goals, MEMBERS, toolsOf, until } from './stage.ts';

afterEach(endAll);

const active = (loom: FakeLoom) =>
  loom
    .agents()
    .filter(({ status }) => status === 'active')
    .map(({ name }) => name);
const names = ['team-lead', ...MEMBERS];

/** The chat of a run, where that of an earlier one died before it signed off. */
async function afterDeadRun() {
  const loom = await chatServer();
  const dead = await chatOf(loom);
  await dead.kickoff(goals);
  loom.restart();
  const next = await chatOf(loom, { runId: 'r3', channel: 'cycle-r3', members: [] });
  await next.kickoff({ teamGoal: 'x' });
  return { loom, next };
}

describe('teardown', () => {
  it('signs off every name of the run and gives back its sessions; nothing is said afterwards', async () => {
    const loom = await chatServer();
    const run = await chatOf(loom);
    await run.kickoff(goals);
    const result = await run.teardown();
    expect(result).toEqual({
      ...{ transport: 'loom', attempted: names, deregistered: names },
      ...{ variantsAttempted: [], variantsDeregistered: [] },
    });
    expect([active(loom), loom.sessions(), run.counters().sessionsOpen]).toEqual([[], 0, 0]);
    const calls = loom.calls.length;
    expect(await run.teardown()).toBe(result);
    expect(await run.announce('late')).toMatchObject({ code: 'NOT_TAKEN' });
    expect(await run.kickoff(goals)).toMatchObject({ posted: false });
    expect(loom.calls.length).toBe(calls);
  });

  it('lets what still waits be said first, and takes nothing more', async () => {
    const loom = await chatServer();
    const run = await chatOf(loom);
    await run.kickoff(goals);
    const said = [run.relay('be-1', 'T-1', 'done'), run.announce('T-2 was given up.')];
    const over = run.teardown();
    expect(await run.announce('late')).toMatchObject({ code: 'NOT_TAKEN' });
    for (const sent of said) expect(await sent).toMatchObject({ delivered: true });
    expect((await over).deregistered).toEqual(names);
    expect(loom.messages().map(({ body }) => body)).toContain('T-1: done');
  });

  it('does not wait long for a chat that hangs', async () => {
    const loom = await chatServer();
    const run = await chatOf(loom, { limits: { callMs: 30, drainMs: 0, failures: 99 } });
    await run.kickoff(goals);
    loom.fail(() => 'hang');
    const said = Array.from({ length: 50 }, () => run.announce('x'));
    await run.teardown();
    const codes = (await Promise.all(said)).map(({ code }) => code);
    expect(codes.filter((code) => code === 'NOT_TAKEN').length).toBeGreaterThan(40);
  });

  it('calls nothing where nothing was begun', async () => {
    const loom = await chatServer();
    const run = await chatOf(loom);
    const calls = loom.calls.length;
    expect(await run.teardown()).toMatchObject({ attempted: [] });
    expect(loom.calls.length).toBe(calls);
  });

  it('41: never touches another run, whose names are the suffixes of ours', async () => {
    const loom = await chatServer();
    const [one, two] = [
      await chatOf(loom),
      await chatOf(loom, { runId: 'r2', channel: 'cycle-r2' }),
    ];
    await one.kickoff(goals);
    await two.kickoff(goals);
    await one.teardown();
    expect(active(loom)).toEqual(names.map((name) => `${name}-2`));
    expect(await two.say('be-1', 'fe-1', 'x')).toMatchObject({ delivered: true });
    expect(await two.teardown()).toMatchObject({
      variantsAttempted: names.map((name) => `${name}-2`),
      variantsDeregistered: names.map((name) => `${name}-2`),
    });
  });

  it.each([
    ['with', true],
    ['without', false],
  ])('signs off what a killed host left, %s its table of names', async (_, kept) => {
    const loom = await chatServer();
    const store = memoryIdentities();
    await (await chatOf(loom, { store })).kickoff(goals);
    loom.restart();
    const after = await chatOf(loom, { store: kept ? store : memoryIdentities() });
    await after.kickoff(goals);
    const { deregistered } = await after.teardown();
    expect(new Set(deregistered)).toEqual(new Set([...names, ...names.map((name) => `${name}-2`)]));
    expect([active(loom), loom.sessions()]).toEqual([[], 0]);
  });

  it('signs off names whose sessions have all ended, and the one it needed for that', async () => {
    const loom = await chatServer();
    const run = await chatOf(loom);
    await run.kickoff(goals);
    loom.restart();
    const { deregistered } = await run.teardown();
    expect(deregistered.toSorted()).toEqual([...names, 'team-lead-2'].toSorted());
    expect([active(loom), loom.sessions()]).toEqual([[], 0]);
  });

  it('41: signs off exactly what a dead run has left in its own channel, and no suffix of anybody', async () => {
    const loom = await chatServer();
    const dead = await chatOf(loom);
    await dead.kickoff(goals);
    loom.restart();
    const other = await chatOf(loom, { runId: 'r2', channel: 'cycle-r2', members: ['be-1'] });
    await other.kickoff({ teamGoal: 'x' });
    const next = await chatOf(loom, { runId: 'r3', channel: 'cycle-r3', members: [] });
    await next.kickoff({ teamGoal: 'x' });
    const channel = 'cycle-r1';
    const left = [
      { channel, names: [...names.slice(0, 3), 'be-1-2'] },
      { channel: 'cycle-r9', names: ['qa-1', 'team-lead-2'] },
    ];
    const gone = [...names.slice(0, 3), 'be-1-2'].map((name) => ({ channel, name }));
    expect(await next.signOffLeft(left)).toEqual(gone);
    expect(active(loom).toSorted()).toEqual(['be-1-2', 'qa-1', 'team-lead-2', 'team-lead-3']);
    expect(await other.announce('x')).toMatchObject({ delivered: true });
    expect(await next.signOffLeft([])).toEqual([]);
    loom.fail(() => 'reset');
    expect(await next.signOffLeft(left)).toEqual([]);
  });

  it.each<[string, Fault]>([
    ['cuts connections', 'reset'],
    ['is broken itself', { code: 'INTERNAL_ERROR' }],
  ])(
    '41: asks a server that %s for no more names of a dead run, and gives those that went before',
    async (_, fault) => {
      const { loom, next } = await afterDeadRun();
      const channel = 'cycle-r1';
      const asked: unknown[] = [];
      loom.fail(({ tool, args }) => {
        if (tool !== 'deregister') return undefined;
        asked.push(args?.['name']);
        return args?.['name'] === 'be-1' ? fault : undefined;
      });
      const left = [
        { channel, names: names.slice(0, 3) },
        { channel, names: ['qa-1'] },
      ];
      expect(await next.signOffLeft(left)).toEqual([{ channel, name: 'team-lead' }]);
      expect(asked).toEqual(['team-lead', 'be-1']);
    },
  );

  it('goes on with the names of a dead run where the chat keeps one of them', async () => {
    const { loom, next } = await afterDeadRun();
    loom.fail(({ args }) => (args?.['name'] === 'be-1' ? { code: 'ODD' } : undefined));
    const gone = await next.signOffLeft([{ channel: 'cycle-r1', names }]);
    expect(gone.map(({ name }) => name)).toEqual(['team-lead', 'fe-1', 'qa-1']);
  });

  it('leaves a name that is another run’s by now', async () => {
    const loom = await chatServer();
    const run = await chatOf(loom);
    await run.kickoff(goals);
    loom.purge();
    const other = await chatOf(loom, { runId: 'r2', channel: 'cycle-r2' });
    await other.kickoff(goals);
    expect(active(loom)).toEqual(names);
    await run.teardown();
    expect(active(loom)).toEqual(names);
    expect(run.counters().sessionsOpen).toBe(0);
    expect(loom.sessions()).toBe(4);
  });

  it('leaves strangers in its own channel', async () => {
    const loom = await chatServer();
    const run = await chatOf(loom);
    await run.kickoff(goals);
    const stranger = await chatOf(loom, { runId: 'r9', lead: 'observer', members: [] });
    await stranger.kickoff({ teamGoal: 'x' });
    expect(loom.channels()[0]?.members).toContain('observer');
    await run.teardown();
    expect(active(loom)).toEqual(['observer']);
  });

  it('ends a kickoff that is under way, and leaves nothing of it', async () => {
    const loom = await chatServer();
    const run = await chatOf(loom, { limits: { drainMs: 0 } });
    const started = run.kickoff(goals);
    await until(() => loom.agents().length > 0);
    await run.teardown();
    expect((await started).failed.length).toBeGreaterThan(0);
    expect([active(loom), loom.sessions()]).toEqual([[], 0]);
  });

  it('goes on where one name can not be signed off, and takes one that is not there for gone', async () => {
    const loom = await chatServer();
    const run = await chatOf(loom);
    await run.kickoff(goals);
    const codes: Record<string, string> = { 'be-1': 'ODD', 'fe-1': 'AGENT_NOT_FOUND' };
    loom.fail(({ args }) => {
      const code = codes[String(args?.['name'])];
      return code === undefined ? undefined : { code };
    });
    const { attempted, deregistered } = await run.teardown();
    expect(attempted).toEqual(names);
    expect(deregistered).toEqual(['team-lead', 'fe-1', 'qa-1']);
    expect(loom.sessions()).toBe(0);
  });

  it('never wipes the chat', async () => {
    const loom = await chatServer();
    const run = await chatOf(loom);
    await run.kickoff(goals);
    await run.teardown();
    expect(toolsOf(loom)).not.toContain('purge_all');
    expect(loom.messages()).toHaveLength(4);
  });
});
