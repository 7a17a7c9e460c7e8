import { afterAll, beforeAll, expect, it } from 'vitest';
import { ME, teamScene } from '../../test/team-scene.ts';
import { bookedRows } from '../team/booked-rows.ts';

const at = teamScene();
afterAll(() => at.remove());

beforeAll(async () => {
  await at.abandon('r-1', [
    { id: 'api', parallel_group: 1 },
    { id: 'db', parallel_group: 1 },
  ]);
  await at.abandon('r-2', [{ id: 'api', parallel_group: 1 }]);
  await at.atelier(['ack', 'db', '--run', 'r-1', '--answer', 'a\u001b[2J\u202eb']);
});

const list = (...args: string[]) => at.atelier(['audit', 'list', ...args]);

const jsonOf = async (...args: string[]) =>
  (await list(...args, '--json')).stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

it('shows the ledgers of all runs in one order, whole as JSON', async () => {
  const rows = await jsonOf();
  expect(rows.map(({ runId, type, payload }) => [runId, type, payload.gap_id])).toEqual([
    ['r-1', 'persona_gap_escalation', 'task-api'],
    ['r-1', 'persona_gap_escalation', 'task-db'],
    ['r-2', 'persona_gap_escalation', 'task-api'],
    ['r-1', 'persona_gap_ack', 'task-db'],
  ]);
  expect(rows.at(-1)).toEqual({
    ...{
      version: 1,
      id: 4,
      at: expect.stringMatching(/Z$/u),
      runId: 'r-1',
      type: 'persona_gap_ack',
    },
    payload: { gap_id: 'task-db', by: ME, note: 'a\u001b[2J\u202eb' },
  });
});

it('is narrowed by run, task and type', async () => {
  const { stdout } = await list(
    '--task',
    'api',
    '--type',
    'persona_gap_escalation',
    '--run',
    'r-2',
  );
  expect(stdout).toMatch(/^3 [^\n]+\n$/u);
  await at.within((project) => {
    const ids = (by: Partial<Parameters<typeof bookedRows>[1]>) =>
      bookedRows(project, { run: undefined, task: undefined, eventType: undefined, ...by }).map(
        ({ id }) => id,
      );
    expect(ids({ task: 'api' })).toEqual([1, 3]);
    expect(ids({ eventType: 'persona_gap_ack' })).toEqual([4]);
    expect(ids({ task: 'db', run: 'r-1' })).toEqual([2, 4]);
    expect(ids({ eventType: 'side_query' })).toEqual([]);
    expect(() => ids({ run: 'r-9' })).toThrow('there is no run r-9');
  });
});

it('control characters of others are shown, and obeyed by nobody', async () => {
  const { stdout } = await list();
  expect(stdout).toMatch(/^4 +\S+Z run r-1 persona_gap_ack \{.*\[2J.*\}$/mu);
  const bare = (await list('--json')).stdout;
  for (const text of [stdout, bare])
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});

it('has an end, and says what it left out; whatever it is asked, it writes nothing', async () => {
  const { stdout, stderr } = await list('--limit', '1', '--json');
  expect([JSON.parse(stdout).id, stderr]).toEqual([
    ...[4, '3 earlier rows are not shown; --limit shows more.\n'],
  ]);
  const rows = await at.within(({ store: { team } }) =>
    team.teams.list().flatMap(({ teamId }) => team.ledger.list({ teamId })),
  );
  expect(rows).toHaveLength(4);
});

it('is what the hints of retry and post-mortem name', async () => {
  for (const args of [
    ['retry', 'ui'],
    ['post-mortem', 'ui', '--reason', 'r'],
  ])
    expect((await at.atelier(args)).stderr).toContain(
      'atelier audit list --type persona_gap_escalation',
    );
});

it('names that runs had in a chat are told only where they are asked for', async () => {
  await at.within(({ store }) => {
    const teamId = store.team.teams.ofRun('r-1')?.teamId ?? '';
    store.team.ledger.append({ teamId, eventType: 'chat_name', payload: { name: 'be-1' } });
  });
  expect((await jsonOf()).map(({ type }) => type)).not.toContain('chat_name');
  expect((await jsonOf('--type', 'chat_name')).map(({ payload }) => payload)).toEqual([
    { name: 'be-1' },
  ]);
});
