import { type Briefing, type Recall, type Replayable, type Task, taskKey } from '@atelier/engine';
import { type JsonValue, validateReply } from '@atelier/envelope';
import type { MergedWork } from '@atelier/store-sqlite';
import type { Run } from '@atelier/worktrees';
import { bareKey, type ContentParts, contentKey } from './content-key.ts';
import { filesPrint } from './files-print.ts';
import { changedPaths, readPaths, upstreamOf } from './read-paths.ts';

/** What replays are looked for in, and what they have to agree with. */
export interface ReplaySource {
  readonly tasks: readonly Task[];
  readonly briefing: Briefing;
  readonly settings: JsonValue;
  /** The model that a task would be given, where one is chosen for it. */
  readonly modelOf?: (task: Task) => string | undefined;
  /** The branch that work has to be in, and be unchanged on. */
  readonly work: Pick<Run, 'tip' | 'tree' | 'objectsAt' | 'contains'> & LinkFinder;
  /** Whether waves are put to a gate, which may look at any file. */
  readonly isGated: boolean;
  /** Merged attempts under a content key, the newest first. */
  readonly merged: (contentKey: string) => readonly MergedWork[];
  /** The files and folders outside of git that workers may read, as absolute paths; none when absent. */
  readonly files?: () => Promise<readonly string[]>;
  /** Told once when what they hold can not be compared, so that every task is done anew. */
  readonly warn?: (message: string) => void;
}

interface LinkFinder {
  /** Whether a commit has symbolic links or submodules in these folders; when absent, any folder may have them. */
  hasLinks?(commit: string, folders: readonly string[]): Promise<boolean>;
}

/** Of how many attempts of the same content it is asked whether their work still stands. */
const MOST_CANDIDATES = 5;

/**
 * Spares a task whose work was merged by an earlier run, is on this run’s branch, and reads there as it was merged.
 * A task without `reads` depends on everything, so that it is done anew once anything has changed; so does one that
 * reads a folder with links in it.
 */
export function mergedBefore(source: ReplaySource): Recall {
  const { tasks, briefing, settings, work } = source;
  const byKey = new Map(tasks.map((task) => [taskKey(task.id), task]));
  const reviewers = reviewersOf(tasks);
  const print = filesPrint();
  let warned = false;
  const told = async () => {
    const found = await print((await source.files?.()) ?? []);
    if (found === undefined && !warned) {
      warned = true;
      source.warn?.(UNTOLD);
    }
    return found;
  };
  return {
    async contentKey(next) {
      const { task } = next;
      // A reviewer goes with the work that it approves.
      if (task.reviews !== undefined && task.reviews !== null) return undefined;
      const paths = source.isGated ? undefined : readPaths(task, upstreamOf(next, byKey));
      const files = await told();
      if (files === undefined) return undefined;
      const trees = await treesRead(work, paths);
      if (!trees) return undefined;
      return contentKey({
        briefing: await briefing({ ...next, attempt: 1 }),
        task,
        reviewers: reviewers.get(taskKey(task.id)) ?? [],
        settings,
        model: source.modelOf?.(task) ?? null,
        trees,
        files,
      });
    },
    async find(key) {
      const found = [...source.merged(key), ...source.merged(bareKey(key))];
      for (const candidate of found.slice(0, MOST_CANDIDATES))
        if (isSound(candidate) && (await stands(work, candidate))) return replayOf(candidate);
      return undefined;
    },
  };
}

const UNTOLD =
  'no task is spared by earlier work: what workers may read outside of the repository is too much to compare, or can not be read';

/** By the id of the task whose work they look at, each in the order of the plan. */
function reviewersOf(tasks: readonly Task[]): ReadonlyMap<string, readonly Task[]> {
  const found = new Map<string, Task[]>();
  for (const task of tasks) {
    const { reviews } = task;
    if (reviews === undefined || reviews === null) continue;
    const key = taskKey(reviews);
    found.get(key)?.push(task) ?? found.set(key, [task]);
  }
  return found;
}

type Trees = ContentParts['trees'];

/** Of what is at the tip; undefined where that does not tell all that the paths lead to. */
async function treesRead(
  work: ReplaySource['work'],
  paths: readonly string[] | undefined,
): Promise<Trees | undefined> {
  const tip = await work.tip();
  const read = paths && (await treesAt(work, tip, paths));
  if (paths && !(read && (await mayLeadOut(work, tip, read)))) return read;
  return [['', await work.tree(tip)]];
}

/** A link inside of a folder leads to what the folder's own object says nothing of. */
async function mayLeadOut(
  { hasLinks }: LinkFinder,
  commit: string,
  trees: Trees,
): Promise<boolean> {
  const folders = trees.filter(([, object]) => object.startsWith(FOLDER)).map(([path]) => path);
  return folders.length > 0 && (hasLinks === undefined || (await hasLinks(commit, folders)));
}

const FOLDER = '040000 ';

/** Undefined where a path leads to what is not in the tree: through a link, or into a submodule. */
async function treesAt(
  work: ReplaySource['work'],
  commit: string,
  paths: readonly string[],
): Promise<Trees | undefined> {
  // A name that is no text has lost what told it apart.
  if (paths.some((path) => path.includes('\uFFFD'))) return undefined;
  const found = await work.objectsAt(commit, [...paths, ...paths.flatMap(foldersAbove)]);
  if ([...found.values()].some(({ mode }) => ELSEWHERE.has(mode))) return undefined;
  return paths.map((path) => {
    const { mode, oid } = found.get(path) ?? { mode: '', oid: '' };
    return [path, `${mode} ${oid}`];
  });
}

/** The modes of symbolic links and of submodules. */
const ELSEWHERE: ReadonlySet<string> = new Set(['120000', '160000']);

const foldersAbove = (path: string): string[] => {
  const parts = path.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
};

/** A stored reply is judged like any other, against the attempt that it is stored for. */
const isSound = ({ reply, taskId, attempt }: MergedWork): boolean => {
  const checked = validateReply(reply, { taskId, attempt });
  return checked.ok && checked.reply.status === 'done';
};

/** Whether what was merged is still what the branch has. Work that changed nothing has nothing to lose. */
async function stands(work: ReplaySource['work'], { evidence }: MergedWork): Promise<boolean> {
  const { commit, merge } = Object(evidence) as { readonly [key: string]: unknown };
  if (commit === undefined && merge === undefined) return true;
  const paths = changedPaths(evidence);
  if (typeof merge !== 'string' || !paths || !(await work.contains(merge))) return false;
  const [before, now] = await Promise.all([
    treesAt(work, merge, paths),
    treesAt(work, await work.tip(), paths),
  ]);
  return before !== undefined && JSON.stringify(before) === JSON.stringify(now);
}

const replayOf = ({ runId, attempt, reply, evidence, approvals }: MergedWork): Replayable => ({
  from: { runId, attempt },
  reply,
  ...(evidence === undefined ? {} : { evidence }),
  approvals: approvals.map((one) => ({
    taskId: one.taskId,
    from: { runId, attempt: one.attempt },
    reply: one.reply,
  })),
});
