import { createHash } from 'node:crypto';
import SqliteDatabase from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openStore } from '../src/index.ts';
import { charge, events, failed, started } from './events.ts';
import { storeAt, storePath } from './store-file.ts';
import { tamper } from './tamper.ts';

const plan = started([{ id: 'a', parallel_group: 1 }]);

const story = (run: string) => events(run, 1, plan, charge('a', 1), failed('a', 1), charge('a', 2));

/** A closed store with two runs. */
async function twoRuns(): Promise<string> {
  const path = storePath();
  const store = openStore({ path });
  for (const run of ['run', 'other']) await store.journal.append(story(run));
  store.close();
  return path;
}

function hashesOf(path: string, run: string): unknown[] {
  const database = new SqliteDatabase(path, { readonly: true });
  onTestFinished(() => void database.close());
  return database.prepare('SELECT hash FROM events WHERE run_id = ? ORDER BY seq').pluck().all(run);
}

test('each hash is over the one before, or the run, and the text of the event', async () => {
  const path = storePath();
  const store = storeAt(path);
  for (const event of story('run')) await store.journal.append([event]);
  let before = 'run';
  const expected = story('run').map((event) => {
    before = createHash('sha256')
      .update(`${before}\n${JSON.stringify(event)}`)
      .digest('hex');
    return before;
  });
  expect(hashesOf(path, 'run')).toEqual(expected);
});

test('the chain goes on over failed batches, other runs, other instances and half surrogates', async () => {
  const path = storePath();
  const [one, two] = [storeAt(path), storeAt(path)];
  const run = 'run \ud800';
  const [first, second, third, fourth] = story(run);
  if (!first || !second || !third || !fourth) throw new Error('four events');
  await one.journal.append([first]);
  await expect(async () =>
    one.journal.append([{ ...second, taskId: 'b' } as never]),
  ).rejects.toThrow('no task b');
  await one.journal.append([second, ...story('other')]);
  await two.journal.append([third]);
  await one.journal.append([fourth]);
  expect(await two.journal.load(run)).toEqual(story(run));
  expect(await one.journal.load('other')).toEqual(story('other'));
});

describe('a run that was changed is refused, and no other', () => {
  const changed = "json_set(payload_json, '$.nonce', 'forged')";
  const where = "WHERE run_id = 'run' AND seq = 2";
  test.each([
    ['its text', `UPDATE events SET payload_json = ${changed} ${where}`, 2, 'hash does not follow'],
    ['no JSON', `UPDATE events SET payload_json = '{' ${where}`, 2, 'hash does not follow'],
    ['its hash', `UPDATE events SET hash = 'f00' ${where}`, 2, 'hash does not follow'],
    ['no hash', `UPDATE events SET hash = NULL ${where}`, 2, 'no hash'],
    ['its type', `UPDATE events SET type = 'run.finished' ${where}`, 2, 'column type'],
    ['its time', `UPDATE events SET at = '' ${where}`, 2, 'column at'],
    ['a row that is gone', `DELETE FROM events ${where}`, 3, 'event 2 is missing'],
    ['the first row gone', "DELETE FROM events WHERE run_id = 'run' AND seq = 1", 2, 'event 1 is'],
    [
      'two that changed places',
      `UPDATE events SET seq = 20 ${where};
       UPDATE events SET seq = 2 WHERE run_id = 'run' AND seq = 3;
       UPDATE events SET seq = 3 WHERE run_id = 'run' AND seq = 20`,
      2,
      'hash does not follow',
    ],
    [
      'a row of another run',
      `DELETE FROM events ${where};
       INSERT INTO events SELECT 'run', seq, type, at, payload_json, hash FROM events
         WHERE run_id = 'other' AND seq = 2`,
      2,
      'hash does not follow',
    ],
  ])('%s', async (_, sql, seq, why) => {
    const path = await twoRuns();
    tamper(path, sql);
    const store = storeAt(path);
    expect(() => store.journal.load('run')).toThrow(
      expect.objectContaining({
        code: 'STORE_TAMPERED',
        message: expect.stringMatching(new RegExp(`run run .*event ${seq}: .*${why}`, 'u')),
        hint: expect.stringContaining('atelier verify'),
      }),
    );
    expect(await store.journal.load('other')).toEqual(story('other'));
    await store.journal.append(events('other', 5, failed('a', 2)));
    expect(await store.journal.load('other')).toHaveLength(5);
  });

  test.each([
    ['no JSON', "'{'", 'no event'],
    ['no event', "'[1]'", 'no event'],
    ['an event of another place', "json_set(payload_json, '$.seq', 9)", 'column seq'],
    ['an event of another run', "json_set(payload_json, '$.runId', 'x')", 'column run_id'],
  ])('%s under a hash that was made to fit', async (_, text, why) => {
    const path = await twoRuns();
    const database = new SqliteDatabase(path);
    const read = (sql: string) => database.prepare(sql).pluck().get() as string;
    const before = read("SELECT hash FROM events WHERE run_id = 'run' AND seq = 3");
    const payload = read(`SELECT ${text} FROM events WHERE run_id = 'run' AND seq = 4`);
    database.close();
    const hash = createHash('sha256').update(`${before}\n${payload}`).digest('hex');
    tamper(
      path,
      `UPDATE events SET hash = '${hash}', payload_json = '${payload}' WHERE run_id = 'run' AND seq = 4`,
    );
    expect(() => storeAt(path).journal.load('run')).toThrow(why);
  });

  test('a chain that was made anew differs from what was noted when it was committed', async () => {
    const path = await twoRuns();
    tamper(path, "DELETE FROM events WHERE run_id = 'other'");
    const database = new SqliteDatabase(path);
    let before = 'other';
    for (const event of story('other').map((one) => ({ ...one, at: 'forged' }))) {
      const text = JSON.stringify(event);
      before = createHash('sha256').update(`${before}\n${text}`).digest('hex');
      database
        .prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)')
        .run('other', event.seq, event.type, event.at, text, before);
    }
    database.close();
    const store = storeAt(path);
    expect(() => store.journal.load('other')).toThrow('event 4: its hash is not the one');
    expect(await store.journal.load('run')).toEqual(story('run'));
  });

  test('a run whose last row has no hash can not be gone on with', async () => {
    const path = await twoRuns();
    tamper(path, "UPDATE events SET hash = NULL WHERE run_id = 'run' AND seq = 4");
    const store = storeAt(path);
    await expect(async () =>
      store.journal.append(events('run', 5, failed('a', 2))),
    ).rejects.toThrow(expect.objectContaining({ code: 'STORE_TAMPERED' }));
  });
});
