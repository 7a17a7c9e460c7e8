import { join } from 'node:path';
import { sweep } from '@atelier/cli-transport';
import { printable } from '@atelier/envelope';
import { jsonLine, renderCollection } from '@atelier/reporters';
import type { Store } from '@atelier/store-sqlite';
import { type Collection, type CollectRequest, collectWorktrees } from '@atelier/worktrees';
import type { Command } from '../command.ts';
import { holdProject } from '../compose/hold-project.ts';
import type { Project } from '../compose/project.ts';
import { workersFolder } from '../compose/run-on-repository.ts';
import { withProject } from '../compose/with-project.ts';
import type { Output } from '../streams.ts';
import { parseWorktreesArguments, type WorktreesArguments } from './worktrees-arguments.ts';
import { shareBudget } from './worktrees-budget.ts';
import { type Home, homesOf } from './worktrees-homes.ts';

const HELP = `Usage: atelier worktrees gc [--max SIZE] [--dry-run] [--unfinished] [--json] [--repo DIR] [--state-dir DIR]

Removes the worktrees that runs left, oldest use first. What is in one and not on a ref is saved first, see
atelier salvage; what can not be saved stays. Refused while a host drives a run of the repository.

  --max SIZE       only until the rest is at most that, as 500MB, 2GiB or 0
  --dry-run        tell what would be done
  --unfinished     also those of runs that can be resumed, whose workers are ended first; a resumed run then
                   goes on from what was saved
  --json           one JSON object a line
  --repo DIR       a folder of the clone; the current one when absent
  --state-dir DIR  look there in place of the usual folder; where runs recorded another one is looked at, too
`;

export const worktreesGc: Command['run'] = async (args, { stdout, stderr }, environment) => {
  const given = parseWorktreesArguments('gc', args, ['max', 'dry-run', 'unfinished']);
  if (given.help) {
    stdout.write(HELP);
    return 0;
  }
  return withProject(given, environment, async (project) => {
    const lock = holdProject(project.repository, 'worktrees gc');
    try {
      const { dryRun } = given;
      const collection = await collect(project, given, stderr);
      if (given.json) for (const line of linesOf(collection, dryRun)) stdout.write(jsonLine(line));
      else stdout.write(renderCollection(collection, { dryRun }));
      return 0;
    } finally {
      lock.release();
    }
  });
};

/** Only for whoever holds the lock. */
async function collect(
  project: Project,
  { maxBytes, dryRun, unfinished }: WorktreesArguments,
  stderr: Output,
): Promise<Collection> {
  const why = whyKept(project.store);
  const isInUse = (runId: string) => !unfinished && why(runId) !== undefined;
  let homes = await homesOf(project);
  const swept = dryRun ? NOBODY : await endWorkers(homes, isInUse, stderr);
  if (swept.ended > 0) homes = await homesOf(project);
  const { isAtLarge } = swept;
  const shares = maxBytes === undefined ? undefined : shareBudget(homes, { maxBytes, isInUse });
  const removed: Collection['removed'][number][] = [];
  const kept: Collection['kept'][number][] = [];
  for (const { path } of homes) {
    const share = shares?.get(path);
    const done = await collectWorktrees({
      ...{ repository: project.repository, home: path, isInUse, isAtLarge, dryRun },
      ...(share === undefined ? {} : { maxBytes: share }),
    });
    removed.push(...done.removed);
    for (const one of done.kept)
      kept.push(
        isInUse(one.worktree.runId) ? { ...one, why: why(one.worktree.runId) ?? one.why } : one,
      );
  }
  return { removed, kept };
}

/** Why a run's worktrees stay unless told otherwise; undefined for one that has ended. */
function whyKept(store: Store): (runId: string) => string | undefined {
  const verdicts = new Map(store.runs().map(({ run_id, verdict }) => [run_id, verdict]));
  return (runId) => {
    const verdict = verdicts.get(runId);
    if (verdict === 'complete' || verdict === 'abandoned') return undefined;
    return verdict === undefined
      ? 'its run is not in the journal: add --unfinished'
      : 'unfinished: resume it, or add --unfinished';
  };
}

interface EndedWorkers {
  readonly ended: number;
  readonly isAtLarge: NonNullable<CollectRequest['isAtLarge']>;
}

const NOBODY: EndedWorkers = { ended: 0, isAtLarge: () => false };

/** No folder is removed under a worker that a killed host left: each is ended, and one that may live on keeps its own. */
async function endWorkers(
  homes: readonly Home[],
  isInUse: (runId: string) => boolean,
  stderr: Output,
): Promise<EndedWorkers> {
  const runs = new Map(
    homes.flatMap(({ path, worktrees }) =>
      worktrees
        .filter(({ runId }) => !isInUse(runId))
        .map(({ run, runId }) => [join(path, run), runId] as const),
    ),
  );
  const atLarge = new Set<string>();
  let ended = 0;
  for (const [folder, runId] of runs)
    for (const { taskId, attempt, isGone } of await sweep(workersFolder(folder))) {
      const worker = `the worker of task ${printable(taskId)}, attempt ${attempt}`;
      if (isGone) ended += 1;
      else atLarge.add(attemptIn(runId, taskId, attempt));
      stderr.write(isGone ? `ended ${worker}\n` : `warning: ${worker} may still live\n`);
    }
  return {
    ended,
    isAtLarge: (runId, { taskId, attempt }) =>
      atLarge.has(attemptIn(runId, taskId, attempt)) ||
      atLarge.has(attemptIn(runId, undefined, undefined)),
  };
}

/** A worker of which nothing can be read may be in any worktree of its run. */
const attemptIn = (runId: string, taskId?: string, attempt?: number): string =>
  JSON.stringify([runId, taskId, attempt]);

function* linesOf({ removed, kept }: Collection, dryRun: boolean): Generator<object> {
  for (const worktree of removed)
    yield { version: 1, outcome: dryRun ? 'would-remove' : 'removed', ...worktree };
  for (const { worktree, why } of kept) yield { version: 1, outcome: 'kept', why, ...worktree };
}
