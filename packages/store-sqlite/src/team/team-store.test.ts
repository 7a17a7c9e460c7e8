import { describe, expect, test } from 'vitest';
import { events, started } from '../../test/events.ts';
import { storeAt, storePath } from '../../test/store-file.ts';
import { message, registerTeam, TEAM } from '../../test/team-file.ts';
import { openStore, verifyStore } from '../index.ts';
import { applyMigrations } from '../migrate.ts';
import { MIGRATIONS } from '../migration.ts';
import { openDatabase } from '../open-database.ts';

const plan = started([{ id: 'a', parallel_group: 1 }]);

describe('the team is beside the runs', () => {
  test('what it writes is no row of a run, and a store with it is still proved sound', async () => {
    const path = storePath();
    const store = openStore({ path });
    await store.journal.append(events('run', 1, plan));
    const told = () => [store.runs(), store.tasks('run'), store.escalations('run'), store.owed()];
    const before = told();
    const { wire, ledger, phases, outcomes } = registerTeam(store, 'ann');
    wire.sendAll([message({ payload: 'x'.repeat(5_000) })]);
    ledger.latch('task-a', { teamId: TEAM, eventType: 'persona_gap_escalation' });
    phases.force({ project: 'shop', to: 'tdd:red', agent: 'kim', reason: 'a trial' });
    outcomes.put('run', { tasks: [] });
    expect(told()).toEqual(before);
    expect(await store.journal.load('run')).toEqual(events('run', 1, plan));
    store.close();
    expect(verifyStore({ path })).toEqual({
      ...{ runs: 1, events: 1, badRows: [], changedRows: [] },
      ...{ tip: 'holds', damage: [] },
    });
  });

  test('a team may be there before its run, and without one', () => {
    const path = storePath();
    const store = openStore({ path });
    registerTeam(store, 'ann');
    expect(store.runs()).toEqual([]);
    store.close();
    expect(verifyStore({ path })).toMatchObject({ runs: 0, changedRows: [] });
  });

  test('a file of the fourth version gets the tables, and its runs stay as they are', async () => {
    const path = storePath();
    const database = openDatabase(path, 0);
    applyMigrations(database, {}, MIGRATIONS.slice(0, 4));
    const insert = database.prepare(
      "INSERT INTO events VALUES (?, ?, ?, ?, ?, chain_link('run', ?))",
    );
    for (const event of events('run', 1, plan)) {
      const text = JSON.stringify(event);
      insert.run(event.runId, event.seq, event.type, event.at, text, text);
    }
    database.close();
    const store = storeAt(path);
    expect(await store.journal.load('run')).toEqual(events('run', 1, plan));
    expect(registerTeam(store, 'ann').wire.sendAll([message()])).toMatchObject([{ seq: 1 }]);
  });
});

test('a closed store refuses the team too', () => {
  const store = openStore({ path: ':memory:' });
  store.close();
  expect(() => store.team.phases.start('shop')).toThrow(
    expect.objectContaining({ code: 'STORE_CLOSED' }),
  );
});
