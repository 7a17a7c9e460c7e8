import { expect, test } from 'vitest';
import { upstreamEdges } from '../core/edges.ts';
import { firstByKey, readRow } from '../core/task-issues/row.ts';
import { impliedEdgeFindings } from './implied-edges.ts';

const task = (id: string, parallel_group: number, fields: object = {}) => ({
  ...{ id, parallel_group },
  ...fields,
});

const told = (tasks: readonly object[], impliedEdges: number) => {
  const rows = tasks.map(readRow);
  return [...impliedEdgeFindings(rows, firstByKey(rows), { impliedEdges })].map(
    ({ message }) => message,
  );
};

test('who reads a folder in which everybody before it has written is counted', () => {
  const chain = (length: number) =>
    Array.from({ length }, (_, at) =>
      task(`t${at}`, at + 1, { reads: ['log'], writes: [`log/${at}.md`, `log/${at}.txt`] }),
    );
  expect(told(chain(5), 10)).toEqual([]);
  expect(told(chain(6), 10)).toEqual([
    expect.stringContaining('write 15 times in all, more than 10, most often "log"'),
  ]);
  expect(told(chain(10_000), 1_000_000)).toHaveLength(1);
});

test('no more is counted than there are edges, where nobody names a folder and what is in it', () => {
  let seed = 3;
  const roll = (sides: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * sides);
  };
  const WRITES = ['src/**', 'src/a.ts', 'lib/b', 'LIB/B', 'app/[id]/p', '{x,y}/z'];
  const READS = ['src', 'lib/b', 'app/[id]/p', 'x/z', 'q'];
  const some = (from: readonly string[]) => from.filter(() => roll(3) === 0);
  let edges = 0;
  for (let round = 0; round < 200; round += 1) {
    const tasks = Array.from({ length: 8 }, (_, at) => ({
      ...{ id: `t${at}`, parallel_group: 1 + roll(4) },
      ...{ reads: some(READS), writes: some(WRITES).slice(0, 1) },
      ...(at > 0 && roll(6) === 0 ? { reviews: `t${roll(at)}` } : {}),
      status: roll(6) === 0 ? 'complete' : 'pending',
    }));
    // One edge per pair: what is read of whom one reviews has its edge already.
    const made = [...upstreamEdges(tasks).values()].flat();
    const count = made.filter(({ kind }) => kind === 'reads').length;
    const most = made.filter(({ kind }) => kind !== 'explicit').length;
    const [text] = told(tasks, -1);
    const counted = Number(/write (\d+) times/u.exec(text ?? 'write 0 times')?.[1]);
    expect(counted).toBeGreaterThanOrEqual(count);
    expect(counted).toBeLessThanOrEqual(most);
    edges += count;
  }
  expect(edges).toBeGreaterThan(500);
});

test('what is refused as a path is not looked at', () => {
  const rows = [
    task('w', 1, { writes: ['../x', 7] }),
    task('r', 2, { reads: ['../x', null, 'x*'] }),
  ];
  expect(told(rows, 0)).toEqual([]);
});
