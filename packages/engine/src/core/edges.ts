import { isGroup } from './group.ts';
import { readPlaces, writtenPlaces } from './places.ts';
import { isClosed, type Task, type TaskId, taskKey } from './task.ts';
import { type WriterIndex, writerIndex } from './writer-index.ts';

/** Why a task waits for another: it says so, it reviews its work, or it reads what the other writes. */
export interface UpstreamEdge {
  readonly upstream: string;
  readonly kind: 'explicit' | 'review' | 'reads';
}

/**
 * What each task waits for, keyed by canonical id: `depends_on`, the author under review, and every task of a
 * strictly earlier group that may write what it reads: the path itself, a folder around it or something in it, by name
 * or by pattern, whatever the case of the letters. Closed rows take part; one without a group counts as earlier than
 * every group. One edge per pair, the first kind that applies. Linear in tasks, paths and edges.
 */
export function upstreamEdges(tasks: readonly Task[]): Map<string, readonly UpstreamEdge[]> {
  const known = new Map(tasks.map((task) => [taskKey(task.id), task]));
  const reads = tasks.map((task) => [...readPlaces(task)]);
  const writers = indexWriters(tasks, reads);
  const edges = new Map<string, readonly UpstreamEdge[]>();
  for (const [at, task] of tasks.entries()) {
    const key = taskKey(task.id);
    const found = new Map<string, UpstreamEdge>();
    const add = (edge: UpstreamEdge) => {
      const { upstream } = edge;
      // Pre-flight does not follow the edges of closed rows, so these may still lead nowhere.
      if (upstream === key || found.has(upstream) || !known.has(upstream)) return;
      found.set(upstream, edge);
    };
    for (const id of task.depends_on ?? []) add({ upstream: taskKey(id), kind: 'explicit' });
    for (const id of authorOf(task)) add({ upstream: taskKey(id), kind: 'review' });
    const group = readingGroup(task, known);
    for (const list of writers.meeting(reads[at] ?? []).keys()) {
      for (const writer of list) {
        if (writer.group >= group) break;
        add(writer.edge);
      }
    }
    edges.set(key, [...found.values()]);
  }
  return edges;
}

interface Writer {
  readonly group: number;
  /** One for all who read from it. */
  readonly edge: UpstreamEdge;
}

/** Who writes what is read, by group. */
function indexWriters(
  tasks: readonly Task[],
  reads: readonly (readonly string[])[],
): WriterIndex<Writer> {
  const writers = writerIndex<Writer>(reads);
  const byGroup = tasks
    .map((task) => ({ task, group: groupOf(task) }))
    .sort((a, b) => (a.group < b.group ? -1 : a.group > b.group ? 1 : 0));
  for (const { task, group } of byGroup)
    writers.add(writtenPlaces(task), {
      group,
      edge: { upstream: taskKey(task.id), kind: 'reads' },
    });
  return writers;
}

/** A paired reviewer reads in the wave of its author, before whatever else that wave writes is merged. */
function readingGroup(task: Task, known: ReadonlyMap<string, Task>): number {
  const [id] = isClosed(task) ? [] : authorOf(task);
  const author = id === undefined ? undefined : known.get(taskKey(id));
  return groupOf(author && !isClosed(author) ? author : task);
}

const groupOf = ({ parallel_group }: Task): number =>
  isGroup(parallel_group) ? parallel_group : Number.NEGATIVE_INFINITY;

const authorOf = ({ reviews }: Task): readonly TaskId[] =>
  reviews === undefined || reviews === null ? [] : [reviews];
