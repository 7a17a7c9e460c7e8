import { inFolder } from '../in-folder.ts';
import { has } from '../programs.ts';
import { absent, held, type Row, type Size } from '../row.ts';
import { amidFloors, median } from '../timing.ts';
import { type MergePlace, mergePlace } from './merge-place.ts';
import { mergedByCommand, mergedByParts } from './merged-by-atelier.ts';
import { mergedByHand } from './merged-by-hand.ts';

const SIZES = { full: { tasks: 60, rounds: 3 }, small: { tasks: 2, rounds: 1 } };

const FLOOR = { atLeast: 0.4 };

type Way = (
  place: MergePlace,
  tasks: readonly string[],
) => Promise<{ readonly ms: number; readonly faults: readonly string[] }>;

const BY_HAND = 'shell loop of git worktree add, commit, locked merge';

const COMMAND = 'atelier run';

const PARTS = 'engine, sandbox, journal, worktrees';

/** Sandbox and SQLite journal are in all of ours; the command has its own start and the proof of its walls as well. */
const WAYS: Readonly<Record<string, Way>> = {
  [COMMAND]: mergedByCommand,
  [PARTS]: (place, tasks) => mergedByParts(place, tasks, 'parallel'),
};

const MORE: Readonly<Record<string, Way>> = {
  'the same, pipeline': (place, tasks) => mergedByParts(place, tasks, 'pipeline'),
};

/** Tasks of one new file each, five wide, each in a worktree and merged: the speed of a shell loop that only does that. */
export async function mergedBench(size: Size): Promise<Row[]> {
  const missing = ['xargs', 'flock'].filter((program) => !has(program));
  if (missing.length > 0) return [absent('merged', missing.join(' and '), 'ms/task')];
  const { tasks, rounds } = SIZES[size];
  const names = Array.from({ length: tasks }, (_, index) => `t${index + 1}`);
  const faults = new Map<string, Set<string>>();
  const clean = async (name: string, way: Way): Promise<number> =>
    inFolder(async (folder) => {
      const end = await way(mergePlace(folder), names);
      const known = faults.get(name) ?? new Set();
      faults.set(name, new Set([...known, ...end.faults]));
      return end.ms;
    });
  const ways = Object.entries(size === 'full' ? { ...WAYS, ...MORE } : WAYS);
  const turns = await amidFloors(
    rounds,
    () => clean(BY_HAND, mergedByHand),
    new Map(ways.map(([name, way]) => [name, () => clean(name, way)])),
  );
  const rowOf = (name: string, ms: readonly number[], ratio: number): Row => {
    const wrong = [...(faults.get(name) ?? [])].join('; ');
    return {
      bench: 'merged',
      name,
      value: median(ms) / tasks,
      unit: 'ms/task',
      ratio,
      ...(wrong === '' ? {} : { met: false }),
      note: wrong || `${tasks} of ${tasks} merged, nothing left; floor over this`,
    };
  };
  const floors = [...turns.values()].flat().map(({ floorMs }) => floorMs);
  return [
    rowOf(BY_HAND, floors, 1),
    ...[...turns].map(([name, own]) => {
      const ratio = median(own.map(({ ms, floorMs }) => floorMs / ms));
      const times = own.map(({ ms }) => ms);
      const row = rowOf(name, times, ratio);
      return name in WAYS ? held(row, FLOOR) : row;
    }),
  ];
}
