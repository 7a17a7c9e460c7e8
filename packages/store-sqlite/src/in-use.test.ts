import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { hasLock, inUse } from './in-use.ts';
import { openStore } from './open-store.ts';

const LOCKS = `1: POSIX  ADVISORY  READ 29995 fe:00:41 1073741826 1073742335
2: POSIX  ADVISORY  READ 29995 fe:00:42 128 128
3: FLOCK  ADVISORY  WRITE 29995 fe:00:43 0 EOF
`;

test.each([
  [41n, true],
  [42n, false],
  [43n, false],
  [4n, false],
])('a lock of a database is one at its place: inode %s', (inode, held) => {
  expect(hasLock(LOCKS, inode)).toBe(held);
});

test.runIf(process.platform === 'linux')(
  'a store that is open is in use, until it is closed',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'atelier-store-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'atelier.db');
    const store = openStore({ path });
    expect(inUse(path)).toBe(true);
    store.close();
    expect(inUse(path)).toBe(false);
    expect(inUse(join(folder, 'nothing'))).toBeUndefined();
  },
);
