import { stat } from 'node:fs/promises';
import { measure } from './measure.ts';
import { isRegistered, listRecorded, listRunFolders, type Recorded } from './run-folders.ts';
import { type KeptState, keptState } from './saved-state.ts';
import { type Clone, siteOf } from './site-of.ts';

/** A worktree that a run left. */
export interface LeftWorktree {
  /** The name of the run’s folder. */
  readonly run: string;
  readonly runId: string;
  /** Absent where it was made for no attempt. */
  readonly taskId?: string;
  readonly attempt?: number;
  readonly path: string;
  /** `scratch` holds nobody’s work. */
  readonly kind: 'attempt' | 'scratch';
  /** `gone`: only git’s registration is left. */
  readonly state: KeptState | 'gone';
  /** Apparent size, without what is linked from the clone. */
  readonly bytes: number;
  /** When something was changed in it last, in milliseconds since 1970. */
  readonly lastUsed: number;
}

export interface Inventory {
  readonly repository: Clone;
  /** The folder that holds one folder for each run of this clone. */
  readonly home: string;
}

/** One of them, with what it takes to remove it. */
export interface Found {
  readonly left: LeftWorktree;
  readonly recorded: Recorded;
  readonly root: string;
}

/**
 * Lists the worktrees of all runs, oldest use first. It reads and changes nothing in them, so runs may be at work.
 * Never guesses: a folder that no record of a run tells of is not listed.
 */
export async function listWorktrees(inventory: Inventory): Promise<LeftWorktree[]> {
  return (await findWorktrees(inventory)).map(({ left }) => left);
}

export async function findWorktrees({ repository, home }: Inventory): Promise<Found[]> {
  const all: Found[] = [];
  for (const folder of await listRunFolders(home)) {
    const recorded = await listRecorded(folder.root, repository.commonDir);
    if (recorded.length === 0) continue;
    let opened: ReturnType<typeof siteOf> | undefined;
    const site = () => {
      opened ??= siteOf(repository, folder);
      return opened;
    };
    for (const one of recorded) {
      const { kind, record } = one;
      const found = await measure(record.path, kind === 'attempt' ? record.frozen : []);
      // Of one that was removed, the record stays.
      if (!found && !(await isRegistered(record))) continue;
      const { bytes = 0, lastUsed = await timeOf(one), isPlain = false } = found ?? {};
      const stateOf = async (): Promise<LeftWorktree['state']> => {
        if (!found) return 'gone';
        if (kind === 'scratch') return 'saved';
        if (isPlain) return keptState(await site(), record);
        return record.saved ? 'changed-since-saved' : 'unsaved';
      };
      const { run, runId, root } = folder;
      const name =
        kind === 'attempt' ? { taskId: record.taskId, attempt: record.attempt } : undefined;
      const rest = { path: record.path, kind, state: await stateOf(), bytes, lastUsed };
      all.push({ left: { run, runId, ...name, ...rest }, recorded: one, root });
    }
  }
  return all.sort((a, b) => a.left.lastUsed - b.left.lastUsed);
}

const timeOf = async ({ file }: Recorded): Promise<number> =>
  stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
