import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openStore } from '../src/index.ts';
import { charge, events, failed, started } from './events.ts';
import { storeAt, storePath } from './store-file.ts';

const plan = started([{ id: 'a', parallel_group: 1 }]);

const PARTS = ['', '-wal', '.tip'] as const;

/** A file as a crash leaves it: with its log, whose last batch is one event. */
async function crashed(): Promise<string> {
  const path = storePath();
  const store = storeAt(path);
  await store.journal.append(events('run', 1, plan, charge('a', 1)));
  await store.journal.append(events('run', 3, failed('a', 1)));
  const copy = storePath();
  for (const part of PARTS) copyFileSync(path + part, copy + part);
  return copy;
}

/** Looking at a file may leave an empty log beside it. */
const bytesOf = (path: string) =>
  PARTS.map((part) => (existsSync(path + part) ? readFileSync(path + part) : Buffer.alloc(0))).map(
    (bytes) => [bytes.length, createHash('sha256').update(bytes).digest('hex')],
  );

function refusedUntouched(path: string): void {
  const before = bytesOf(path);
  expect(() => openStore({ path })).toThrow(
    expect.objectContaining({
      code: 'STORE_TRUNCATED',
      message: expect.stringContaining('event 3 of run run is not in it'),
      hint: expect.stringContaining(`${path}.tip`),
    }),
  );
  expect(bytesOf(path)).toEqual(before);
}

const loaded = (path: string) => storeAt(path).journal.load('run');

test('the tip is of its user alone, and names the last event of the last batch', async () => {
  const path = await crashed();
  expect(statSync(`${path}.tip`).mode & 0o777).toBe(0o600);
  expect(readFileSync(`${path}.tip`, 'utf8')).toMatch(
    /^[0-9a-f]{16} \["run",3,"[0-9a-f]{64}"\]\n$/u,
  );
});

describe('a file that has lost what was committed is refused, and stays as it is', () => {
  test('its log was cut', async () => {
    const path = await crashed();
    truncateSync(`${path}-wal`, statSync(`${path}-wal`).size - 100);
    refusedUntouched(path);
  });

  test('its log is gone', async () => {
    const path = await crashed();
    rmSync(`${path}-wal`);
    refusedUntouched(path);
  });

  test('an older copy was put back', async () => {
    const path = storePath();
    const first = openStore({ path });
    await first.journal.append(events('run', 1, plan, charge('a', 1)));
    first.close();
    copyFileSync(path, `${path}.copy`);
    const second = openStore({ path });
    await second.journal.append(events('run', 3, failed('a', 1)));
    second.close();
    copyFileSync(`${path}.copy`, path);
    refusedUntouched(path);
  });

  test('it is gone, or empty', async () => {
    const path = await crashed();
    rmSync(`${path}-wal`);
    writeFileSync(path, '');
    refusedUntouched(path);
    rmSync(path);
    refusedUntouched(path);
    expect(existsSync(path)).toBe(false);
  });

  test('until its tip is removed', async () => {
    const path = await crashed();
    truncateSync(`${path}-wal`, statSync(`${path}-wal`).size - 100);
    rmSync(`${path}.tip`);
    expect(await loaded(path)).toHaveLength(2);
  });
});

describe('what a crash or a copy may do to the tip does no harm', () => {
  test.each([
    ['it is missing', (tip: string) => rmSync(tip)],
    ['it is empty', (tip: string) => truncateSync(tip, 0)],
    ['it is torn', (tip: string) => truncateSync(tip, 60)],
    ['its line has no end', (tip: string) => truncateSync(tip, statSync(tip).size - 1)],
    ['it is something else', (tip: string) => writeFileSync(tip, '0123456789abcdef {"a":1}\n')],
    ['rests follow its line', (tip: string) => appendFileSync(tip, 'rest of a longer one\n')],
  ])('%s', async (_, spoil) => {
    const path = await crashed();
    spoil(`${path}.tip`);
    expect(await loaded(path)).toHaveLength(3);
  });

  test('it is older than the file: a kill between the commit and the note', async () => {
    const path = storePath();
    const store = storeAt(path);
    await store.journal.append(events('run', 1, plan));
    const tip = readFileSync(`${path}.tip`);
    await store.journal.append(events('run', 2, charge('a', 1)));
    writeFileSync(`${path}.tip`, tip);
    expect(await loaded(path)).toHaveLength(2);
  });

  test('it can not be written', async () => {
    const path = storePath();
    mkdirSync(`${path}.tip`);
    const store = storeAt(path);
    await store.journal.append(events('run', 1, plan));
    expect(await loaded(path)).toHaveLength(1);
  });
});

test('a store in memory has no tip', async () => {
  await storeAt(':memory:').journal.append(events('run', 1, plan));
  expect(existsSync(':memory:.tip')).toBe(false);
});

/** The number of the last event that a child told as committed before it was killed. */
function killedAppender(path: string, after: number): Promise<number> {
  const file = join(import.meta.dirname, 'fixtures/append.mjs');
  const child = spawn(process.execPath, [file, path, 'run']);
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

test('kill -9 while it appends: what was told as committed is there, and the next start goes on', async () => {
  const path = storePath();
  openStore({ path }).journal.append(events('run', 1, plan));
  for (const after of [1, 20, 7, 90]) {
    const told = await killedAppender(path, after);
    const store = openStore({ path });
    const { length } = await store.journal.load('run');
    expect(length).toBeGreaterThanOrEqual(told);
    expect(length).toBeLessThanOrEqual(told + 1);
    store.close();
  }
});

test('a log with a torn end, as a crash in the middle of a write leaves it, is recovered', async () => {
  const path = storePath();
  openStore({ path }).journal.append(events('run', 1, plan));
  const told = await killedAppender(path, 20);
  for (const rest of [Buffer.alloc(24, 7), Buffer.alloc(4120, 7), Buffer.alloc(60_000, 0)]) {
    const copy = storePath();
    for (const part of PARTS) copyFileSync(path + part, copy + part);
    appendFileSync(`${copy}-wal`, rest);
    const store = storeAt(copy);
    expect((await store.journal.load('run')).length).toBeGreaterThanOrEqual(told);
    await store.journal.append(
      events('run', (await store.journal.load('run')).length + 1, charge('a', 1)),
    );
  }
});
