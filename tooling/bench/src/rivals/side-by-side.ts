import type { Task } from '@atelier/engine';
import { inFolder } from '../in-folder.ts';
import { sandboxedRun } from '../sandboxed-run.ts';
import { takeTurns, timed } from '../timing.ts';
import { RIVALS, type Work } from './rival.ts';

const OURS = 'atelier, sandbox and journal';

/** Names of those that are not on this machine, and milliseconds of the others by name, one for each round. */
export interface SideBySide {
  readonly absent: readonly string[];
  readonly times: ReadonlyMap<string, readonly number[]>;
}

/** The same work through everything that is there, in turns, each time in a folder of its own. */
export async function sideBySide(
  rounds: number,
  work: Work,
  tasks: readonly Task[],
): Promise<SideBySide> {
  const there = RIVALS.filter(({ isThere }) => isThere());
  const times = await takeTurns(rounds, {
    ...Object.fromEntries(
      there.map((rival) => [
        rival.name,
        () => inFolder((folder) => timed(() => rival.run(folder, work))),
      ]),
    ),
    [OURS]: () =>
      inFolder(async (folder) => (await sandboxedRun(tasks, { folder, schedule: 'parallel' })).ms),
  });
  return {
    absent: RIVALS.filter((rival) => !there.includes(rival)).map(({ name }) => name),
    times: new Map(Object.entries(times)),
  };
}
