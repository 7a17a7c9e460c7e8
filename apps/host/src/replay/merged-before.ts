import { type Briefing, type Recall, type Replayable, type Task, taskKey } from '@atelier/engine';
import { type JsonValue, validateReply } from '@atelier/envelope';
import type { MergedWork } from '@atelier/store-sqlite';
import type { Run } from '@atelier/worktrees';
import { contentKey } from './content-key.ts';
import { changedPaths, readPaths, upstreamOf } from './read-paths.ts';

/** What replays are looked for in, and what they have to agree with. */
export interface ReplaySource {
  readonly tasks: readonly Task[];
  readonly briefing: Briefing;
  readonly settings: JsonValue;
  /** The model that a task would be given, where one is chosen for it. */
  readonly modelOf?: (task: Task) => string | undefined;
  /** The branch that work has to be in, and be unchanged on. */
  readonly work: Pick<Run, 'tip' | 'tree' | 'objectsAt' | 'contains'>;
  /** Whether waves are put to a gate, which may look at any file. */
  readonly isGated: boolean;
  /** Merged attempts under a content key, the newest first. */
  readonly merged: (contentKey: string) => readonly MergedWork[];
}

/** Of how many attempts of the same content it is asked whether their work still stands. */
const MOST_CANDIDATES = 5;

/**
 * Spares a task whose work was merged by an earlier run, is on this run’s branch, and reads there as it was merged.
 * A task without `reads` depends on everything, so that it is done anew once anything has changed.
 */
export function mergedBefore(source: ReplaySource): Recall {
  const { tasks, briefing, settings, work } = source;
  const byKey = new Map(tasks.map((task) => [taskKey(task.id), task]));
  return {
    async contentKey(next) {
      const { task } = next;
      // A reviewer goes with the work that it approves.
      if (task.reviews !== undefined && task.reviews !== null) return undefined;
      const paths = source.isGated ? undefined : readPaths(task, upstreamOf(next, byKey));
      const trees = await treesAt(work, await work.tip(), paths);
      if (!trees) return undefined;
      return contentKey({
        briefing: await briefing({ ...next, attempt: 1 }),
        task,
        reviewers: tasks.filter(({ reviews }) => isNamed(reviews, task)),
        settings: [settings, source.modelOf?.(task) ?? null],
        trees,
      });
    },
    async find(key) {
      for (const candidate of source.merged(key).slice(0, MOST_CANDIDATES))
        if (isSound(candidate) && (await stands(work, candidate))) return replayOf(candidate);
      return undefined;
    },
  };
}

const isNamed = (reviews: Task['reviews'], { id }: Task): boolean =>
  reviews !== undefined && reviews !== null && taskKey(reviews) === taskKey(id);

type Trees = readonly (readonly [path: string, oid: string])[];

/** Undefined where a path leads to what is not in the tree: through a link, or into a submodule. */
async function treesAt(
  work: ReplaySource['work'],
  commit: string,
  paths: readonly string[] | undefined,
): Promise<Trees | undefined> {
  if (!paths) return [['', await work.tree(commit)]];
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
