import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { withRoom } from './room.ts';

const request = { runId: 'r', task: { id: 'a' }, attempt: 1 };
const wait = { kind: 'wait', ms: 1, reason: 'the other gate' } as const;

test('a disk that is as good as full parks the run, and says which', async () => {
  const left: Readonly<Record<string, number>> = { '/roomy': 1e12, '/full\u001b': 3_500_000 };
  const gate = withRoom(
    ['/roomy', '/full\u001b'],
    () => wait,
    async (folder) => left[folder] ?? 0,
  );
  expect(await gate(request)).toEqual({
    kind: 'park',
    cause: 'no-room',
    detail: 'only 3 MB are left on the disk of /full\\x1b',
  });
});

test('with room the other gate decides, and without one the answer is go', async () => {
  expect(
    await withRoom(
      ['/'],
      () => wait,
      async () => 1e8,
    )(request),
  ).toEqual(wait);
  expect(await withRoom([tmpdir()], undefined)(request)).toEqual({ kind: 'go' });
});

test('a folder that tells nothing does not stand in the way', async () => {
  expect(await withRoom(['/no/such/folder'], undefined)(request)).toEqual({ kind: 'go' });
});
