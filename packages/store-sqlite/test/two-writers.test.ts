import { expect, test } from 'vitest';
import { race, startChild } from './child.ts';
import { events, started } from './events.ts';
import { storeAt, storePath } from './store-file.ts';

const TIMES = 200;
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

test('O-35 two processes charging two runs of one file never see BUSY', async () => {
  const path = storePath();
  const store = storeAt(path);
  for (const run of ['one', 'two'])
    await store.journal.append(events(run, 1, started([{ id: 'a', parallel_group: 1 }])));

  const ended = await race([
    startChild('charge.mjs', path, 'one', String(TIMES)),
    startChild('charge.mjs', path, 'two', String(TIMES)),
  ]);

  expect(ended.map(({ code, errors }) => ({ code, errors }))).toEqual([
    { code: 0, errors: '' },
    { code: 0, errors: '' },
  ]);
  for (const run of ['one', 'two']) {
    expect(store.attempts(run, 'a').map(({ attempt }) => attempt)).toEqual(upTo(TIMES));
    expect(store.tasks(run)[0]?.attempts).toBe(TIMES);
  }
});

test('O-35 two processes charging one task lose no charge and double none', async () => {
  const path = storePath();
  const store = storeAt(path);
  await store.journal.append(events('one', 1, started([{ id: 'a', parallel_group: 1 }])));

  const ended = await race([
    startChild('charge.mjs', path, 'one', String(TIMES)),
    startChild('charge.mjs', path, 'one', String(TIMES)),
  ]);

  expect(ended.map(({ code, errors }) => ({ code, errors }))).toEqual([
    { code: 0, errors: '' },
    { code: 0, errors: '' },
  ]);
  const attempts = store.attempts('one', 'a');
  expect(attempts.map(({ attempt }) => attempt)).toEqual(upTo(2 * TIMES));
  expect(new Set(attempts.map(({ nonce }) => nonce)).size).toBe(2 * TIMES);
  expect(store.tasks('one')[0]?.attempts).toBe(2 * TIMES);
  const log = await store.journal.load('one');
  expect(log.map(({ seq }) => seq)).toEqual(upTo(2 * TIMES + 1));
});
