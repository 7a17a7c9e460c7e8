import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { filesPrint } from './files-print.ts';

/** A folder with a file, a folder with another, a link, and a link to the whole beside it. */
function scene() {
  const at = mkdtempSync(join(tmpdir(), 'atelier-print-'));
  onTestFinished(() => rmSync(at, { recursive: true, force: true }));
  const root = join(at, 'root');
  mkdirSync(join(root, 'deep'), { recursive: true });
  writeFileSync(join(root, 'a'), 'one');
  writeFileSync(join(root, 'deep/b'), 'two');
  symlinkSync('a', join(root, 'l'));
  symlinkSync('root', join(at, 'door'));
  return { at, root, door: join(at, 'door'), env: join(at, '.env') };
}

type Scene = ReturnType<typeof scene>;

test.each<[string, (at: Scene) => void]>([
  ['the bytes of a file', ({ root }) => writeFileSync(join(root, 'a'), 'own')],
  ['those of a file in a folder', ({ root }) => writeFileSync(join(root, 'deep/b'), 'new')],
  ['a name', ({ root }) => writeFileSync(join(root, 'c'), '')],
  ['a folder', ({ root }) => mkdirSync(join(root, 'empty'))],
  ['a file that is gone', ({ root }) => rmSync(join(root, 'a'))],
  ['a file where there was none', ({ env }) => writeFileSync(env, 'KEY=1')],
  ['the right to execute', ({ root }) => chmodSync(join(root, 'a'), 0o755)],
  [
    'where a link leads',
    ({ root }) => {
      rmSync(join(root, 'l'));
      symlinkSync('deep/b', join(root, 'l'));
    },
  ],
])('a change makes a new print, and no change keeps it: %s', async (_, change) => {
  const at = scene();
  const asked = [at.root, at.env];
  const print = filesPrint();
  const before = await print(asked);
  expect(before).toMatch(/^[0-9a-f]{64}$/);
  expect(await print([...asked, ...asked].reverse())).toBe(before);
  change(at);
  const after = await print(asked);
  expect([after, await filesPrint()(asked)]).toEqual([after, after]);
  expect(after).not.toBe(before);
});

test('a hard link beside it, other times and other rights of the group change nothing', async () => {
  const at = scene();
  const before = await filesPrint()([at.root]);
  linkSync(join(at.root, 'a'), join(at.at, 'linked'));
  utimesSync(join(at.root, 'a'), 1, 1);
  chmodSync(join(at.root, 'a'), 0o600);
  expect(await filesPrint()([at.root])).toBe(before);
});

test('what is asked for by a link counts with what is there', async () => {
  const at = scene();
  const before = await filesPrint()([at.door]);
  expect(await filesPrint()([at.door])).toBe(before);
  writeFileSync(join(at.root, 'a'), 'own');
  expect(await filesPrint()([at.door])).not.toBe(before);
});

test.each([
  { entries: 4, bytes: 1_000 },
  { entries: 100, bytes: 5 },
])('more than is allowed for is not told: %o', async (limits) => {
  const { root } = scene();
  const print = filesPrint(limits);
  expect(await print([root])).toBeUndefined();
  expect(await print([root])).toBeUndefined();
  expect(await print([join(root, 'a')])).toBeDefined();
});

test('a name that is no text is not told', async () => {
  const { root } = scene();
  writeFileSync(Buffer.concat([Buffer.from(`${root}/x`), Buffer.from([0xff])]), '');
  expect(await filesPrint()([root])).toBeUndefined();
});
