import { expect, test } from 'vitest';
import { openStore } from '../src/index.ts';
import { abandoned, charge, events, failed, raised, started } from './events.ts';
import { storeAt, storePath } from './store-file.ts';
import { tamper } from './tamper.ts';

const lost = (run: string, ...keys: readonly string[]) =>
  events(
    run,
    1,
    started([{ id: 'a', parallel_group: 1 }]),
    ...[charge('a', 1), failed('a', 1), abandoned('a', 1)],
    ...keys.map((key) => raised('a', 1, key)),
  );

const delivered = (run: string, seq: number, ...keys: readonly string[]) =>
  events(run, seq, ...keys.map((key) => ({ type: 'escalation.delivered', key }) as const));

test('owed is what was raised and not delivered, the oldest first; a second delivery counts for no other', async () => {
  const store = storeAt(':memory:');
  expect(store.owed()).toEqual([]);
  await store.journal.append(lost('z', 'z/1', 'z/2'));
  await store.journal.append(lost('b', 'b/1'));
  await store.journal.append(lost('quiet'));
  expect(store.owed()).toEqual(['z', 'b']);
  await store.journal.append(delivered('z', 7, 'z/1', 'z/1'));
  await store.journal.append(delivered('b', 6, 'b/1'));
  expect(store.owed()).toEqual(['z']);
  await store.journal.append(delivered('z', 9, 'z/2'));
  expect(store.owed()).toEqual([]);
});

test('what is owed follows from the events: a row that says otherwise, or is gone, changes nothing', async () => {
  const path = storePath();
  const store = openStore({ path });
  await store.journal.append(lost('one', 'one/1'));
  await store.journal.append(lost('two', 'two/1'));
  store.close();
  tamper(
    path,
    "UPDATE escalations SET delivered_at = 'x' WHERE run_id = 'one'; DELETE FROM escalations WHERE run_id = 'two'",
  );
  expect(storeAt(path).owed()).toEqual(['one', 'two']);
});

test('an escalation whose event can not be read any more stays owed, so that its run is named', async () => {
  const path = storePath();
  const store = openStore({ path });
  await store.journal.append([...lost('one', 'one/1'), ...delivered('one', 6, 'one/1')]);
  store.close();
  tamper(path, "UPDATE events SET payload_json = '{' WHERE type = 'escalation.raised'");
  const again = storeAt(path);
  expect(again.owed()).toEqual(['one']);
  expect(() => again.journal.load('one')).toThrow(
    expect.objectContaining({ code: 'STORE_TAMPERED' }),
  );
});
