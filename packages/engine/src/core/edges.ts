import { isGroup } from './group.ts';
import { type Task, type TaskId, taskKey } from './task.ts';

/** Why a task waits for another: it says so, it reviews its work, or it reads what the other writes. */
export interface UpstreamEdge {
  readonly upstream: string;
  readonly kind: 'explicit' | 'review' | 'reads';
}

/**
 * What each task waits for, keyed by canonical id: `depends_on`, the author under review, and every task of a
 * strictly earlier group that writes a path it reads. Closed rows take part; one without a group counts as
 * earlier than every group. One edge per pair, the first kind that applies. Linear in tasks and edges.
 */
export function upstreamEdges(tasks: readonly Task[]): Map<string, readonly UpstreamEdge[]> {
  const known = new Map(tasks.map((task) => [taskKey(task.id), task]));
  const writers = indexWriters(tasks);
  const edges = new Map<string, readonly UpstreamEdge[]>();
  for (const task of tasks) {
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
    // A reviewer runs in the wave of its author, before whatever else that wave writes is merged.
    const [author] = authorOf(task);
    const group = groupOf(known.get(author === undefined ? '' : taskKey(author)) ?? task);
    for (const edge of readsFrom(task, group, writers)) add(edge);
    edges.set(key, [...found.values()]);
  }
  return edges;
}

interface Writer {
  readonly group: number;
  /** One for all who read from it. */
  readonly edge: UpstreamEdge;
}

/** Who writes each path, by group. */
function indexWriters(tasks: readonly Task[]): Map<string, Writer[]> {
  const writers = new Map<string, Writer[]>();
  const byGroup = tasks
    .map((task) => ({ task, group: groupOf(task) }))
    .sort((a, b) => (a.group < b.group ? -1 : a.group > b.group ? 1 : 0));
  for (const { task, group } of byGroup) {
    const edge: UpstreamEdge = { upstream: taskKey(task.id), kind: 'reads' };
    for (const path of plainPaths(task.writes, task.must_produce)) {
      const known = writers.get(path);
      if (!known) writers.set(path, [{ group, edge }]);
      // One task may name a path twice, in either list.
      else if (known.at(-1)?.edge !== edge) known.push({ group, edge });
    }
  }
  return writers;
}

function* readsFrom(
  task: Task,
  group: number,
  writers: ReadonlyMap<string, Writer[]>,
): Generator<UpstreamEdge> {
  for (const path of plainPaths(task.reads)) {
    for (const writer of writers.get(path) ?? []) {
      if (writer.group >= group) break;
      yield writer.edge;
    }
  }
}

const groupOf = ({ parallel_group }: Task): number =>
  isGroup(parallel_group) ? parallel_group : Number.NEGATIVE_INFINITY;

const authorOf = ({ reviews }: Task): readonly TaskId[] =>
  reviews === undefined || reviews === null ? [] : [reviews];

/** The given paths, each in its plain spelling. */
export function* plainPaths(
  ...lists: readonly (readonly string[] | null | undefined)[]
): Generator<string> {
  for (const list of lists) for (const path of list ?? []) yield plainPath(path);
}

const DETOUR = /(^|\/)\.{0,2}(\/|$)/u;

/** `./a`, `a/` and `a//b/../` are spellings of paths that POSIX resolves to the same file as the plain one. */
function plainPath(path: string): string {
  if (!DETOUR.test(path)) return path;
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else parts.push(part);
  }
  return (path.startsWith('/') ? '/' : '') + parts.join('/');
}
