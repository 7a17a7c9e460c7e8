import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openStore } from '../src/index.ts';
import { openDatabase } from '../src/open-database.ts';
import { events, started } from './events.ts';
import { tryAsUser } from './other-user.ts';
import { onSmallDisk } from './small-disk.ts';
import { spoilPages } from './spoil-pages.ts';
import { storeAt, storePath } from './store-file.ts';

const plan = started([{ id: 'a', parallel_group: 1 }]);

const digest = (path: string) =>
  existsSync(path) ? createHash('sha256').update(readFileSync(path)).digest('hex') : 'absent';

/** A closed store with a few pages of events. */
async function someStore(): Promise<string> {
  const path = storePath();
  const store = openStore({ path });
  for (let seq = 1; seq <= 30; seq += 1)
    await store.journal.append(
      events('run', seq, seq === 1 ? plan : { type: 'run.interrupted', reason: 'x'.repeat(2_000) }),
    );
  store.close();
  return path;
}

describe('O-36 a file system that machines share is refused before anything is made', () => {
  test.each(['nfs', 'nfs4', 'cifs', 'smb3', '9p', 'virtiofs', 'fuse.sshfs', 'vboxsf', 'ceph'])(
    '%s',
    (type) => {
      const path = storePath();
      expect(() => openStore({ path, fileSystemOf: () => type })).toThrow(
        expect.objectContaining({
          code: 'STORE_ON_NETWORK',
          message: expect.stringContaining(`(${type})`),
          hint: expect.stringContaining('a disk of this machine'),
        }),
      );
      expect(existsSync(path)).toBe(false);
    },
  );

  test.each(['ext4', 'tmpfs', 'overlay', 'fuseblk', undefined])('%s is taken', (type) => {
    openStore({ path: storePath(), fileSystemOf: () => type }).close();
  });

  test('the real place of the file counts; a store in memory has none', () => {
    const path = storePath();
    const asked: string[] = [];
    const fileSystemOf = (place: string) => {
      asked.push(place);
      return undefined;
    };
    openStore({ path, fileSystemOf }).close();
    openStore({ path, fileSystemOf }).close();
    openStore({ path: ':memory:', fileSystemOf }).close();
    expect(asked).toEqual([dirname(path), path]);
  });
});

function refusedAsDamaged(path: string): void {
  const before = ['', '-wal'].map((part) => digest(path + part));
  expect(() => openStore({ path })).toThrow(
    expect.objectContaining({
      code: 'STORE_DAMAGED',
      hint: expect.stringContaining('Put back a copy'),
    }),
  );
  expect(['', '-wal'].map((part) => digest(path + part))).toEqual(before);
}

describe('a damaged file is refused and stays as it is', () => {
  test('it is no database', () => {
    const path = storePath();
    writeFileSync(path, 'not a database, but long enough to be looked at '.repeat(100));
    refusedAsDamaged(path);
  });

  test('its end is missing', async () => {
    const path = await someStore();
    truncateSync(path, 4_096 * 3);
    rmSync(`${path}.tip`);
    // Opening to look leaves an empty log behind; that there was none is the same.
    writeFileSync(`${path}-wal`, '');
    refusedAsDamaged(path);
  });

  test('a page was overwritten, and the last end was a crash', async () => {
    const path = await someStore();
    const database = new SqliteDatabase(path, { readonly: true });
    const unread = "SELECT rootpage FROM sqlite_schema WHERE name = 'escalations'";
    const page = database.prepare<[], number>(unread).pluck().get() ?? 0;
    database.close();
    // A log that outlived its user, beside a page that nothing at the start looks at.
    const store = storeAt(path);
    await store.journal.append(events('run', 31, { type: 'run.interrupted', reason: '' }));
    const crashed = storePath();
    for (const part of ['', '-wal', '.tip']) copyFileSync(path + part, crashed + part);
    spoilPages(crashed, [page - 1]);
    refusedAsDamaged(crashed);
    rmSync(`${crashed}-wal`);
    rmSync(`${crashed}.tip`);
    openStore({ path: crashed }).close();
  });

  test('an overwritten page is found where it is read, when the last end was clean', async () => {
    const path = await someStore();
    const pages = readFileSync(path).length / 4_096;
    spoilPages(
      path,
      Array.from({ length: pages - 25 }, (_, index) => 25 + index),
    );
    expect(() => storeAt(path).journal.load('run')).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^STORE_(?:DAMAGED|TAMPERED)$/u) }),
    );
  });
});

/** A folder that its users can read and not write, with a store or without one. */
function readOnlyFolder(withStore: boolean): string {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-store-'));
  onTestFinished(() => {
    chmodSync(folder, 0o755);
    rmSync(folder, { recursive: true });
  });
  const path = join(folder, 'atelier.db');
  if (withStore) {
    openStore({ path }).close();
    chmodSync(path, 0o644);
  }
  chmodSync(folder, 0o555);
  return path;
}

describe('O-38 what can not be written is refused by name', () => {
  test.each([true, false])('a folder of mode 0555, store in it: %s', (withStore) => {
    const path = readOnlyFolder(withStore);
    const before = digest(path);
    expect(tryAsUser('open', path)).toMatchObject({
      code: 'STORE_READ_ONLY',
      message: expect.stringContaining(dirname(path)),
      hint: expect.stringContaining('writable for this user'),
    });
    expect(digest(path)).toBe(before);
  });

  test.each(['', '-wal', '-shm'])('a file of another user: atelier.db%s', (part) => {
    const path = readOnlyFolder(true);
    chmodSync(dirname(path), 0o777);
    for (const one of ['', '-wal', '-shm']) {
      if (!existsSync(path + one)) writeFileSync(path + one, '');
      chmodSync(path + one, one === part ? 0o444 : 0o666);
    }
    expect(tryAsUser('open', path)).toMatchObject({
      code: 'STORE_READ_ONLY',
      message: expect.stringContaining(`${path}${part} `),
    });
  });
});

test('O-38 a disk of 2 MB that fills up: nothing is recorded that was not committed, and it goes on', () => {
  expect(onSmallDisk('fill.mjs', { kilobytes: 2_048, ballast: 500 })).toMatch(/^\d{2,} events\n$/u);
});

test('O-38 no room for the file itself is STORE_FULL', () => {
  const told = onSmallDisk('try.mjs', { kilobytes: 64, before: ['open'] });
  expect(JSON.parse(told)).toMatchObject({ name: 'StoreError', code: 'STORE_FULL' });
});

test('a folder in place of the file is refused by name', () => {
  const path = storePath();
  mkdirSync(path);
  expect(() => openStore({ path })).toThrow(expect.objectContaining({ name: 'StoreError' }));
  expect(() => openDatabase(path, 0)).toThrow(expect.objectContaining({ name: 'StoreError' }));
});
