import type { AttemptId, ChangeSet, FileFact, Merge, Workspace } from '../workspace.ts';
import { commitGraph, type Tree } from './commit-graph.ts';
import { diffTrees } from './diff-trees.ts';
import { mergeTrees } from './merge-trees.ts';

/** What an attempt did, for a test to say. */
export interface MemoryWork {
  /** The new text of files; `null` deletes one. */
  readonly files?: Readonly<Record<string, string | null>>;
  readonly ignored?: readonly string[];
  readonly nested?: readonly string[];
  readonly refused?: readonly string[];
}

/** A repository in memory: text files and a three-way merge by file. For tests of what uses a workspace. */
export interface MemoryWorkspace extends Workspace {
  /** Saves what an attempt did to the files of the tip; resolves to its commit when that changed anything. */
  work(attempt: AttemptId, work: MemoryWork): Promise<string | undefined>;
  /** The files of a commit, or of a checkout that was not disposed of. */
  files(commitOrPath: string): ReadonlyMap<string, string> | undefined;
  /** The checkouts that are still there. */
  readonly checkouts: ReadonlySet<string>;
}

export function memoryWorkspace(files: Readonly<Record<string, string>> = {}): MemoryWorkspace {
  const graph = commitGraph();
  let tip = graph.add(new Map(Object.entries(files)), []);
  const commits = new Set([tip]);
  const changeSets = new Map<string, ChangeSet>();
  const folders = new Map<string, Tree>();
  const checkouts = new Set<string>();
  let made = 0;

  const commit = (tree: Tree, parents: readonly string[]): string => {
    const name = graph.add(tree, parents);
    commits.add(name);
    return name;
  };
  const mergeOnto = (onto: string, theirs: string) => {
    const base = graph.treeOf(graph.meet(onto, theirs));
    return mergeTrees(base, graph.treeOf(onto), graph.treeOf(theirs));
  };

  return {
    checkouts,
    async work(attempt, { files: written = {}, ignored = [], nested = [], refused = [] }) {
      const tree = new Map(graph.treeOf(tip));
      for (const [path, text] of Object.entries(written))
        if (text === null) tree.delete(path);
        else tree.set(path, text);
      const changes = diffTrees(graph.treeOf(tip), tree);
      const saved = changes.length > 0 ? { commit: commit(tree, [tip]) } : {};
      changeSets.set(keyOf(attempt), { base: tip, ...saved, changes, ignored, nested, refused });
      return saved.commit;
    },
    files: (name) => (commits.has(name) ? graph.treeOf(name) : folders.get(name)),
    changeSet: async (attempt) => changeSets.get(keyOf(attempt)),
    async facts(name, paths) {
      const tree = graph.treeOf(name);
      const facts = paths.map(async (path) => {
        const text = tree.get(path);
        return text === undefined ? [] : [await factOf(path, text)];
      });
      return (await Promise.all(facts)).flat();
    },
    tree: async (name) => JSON.stringify([...graph.treeOf(name)].sort()),
    conflicts: async (name, against = tip) => mergeOnto(against, name).conflicts,
    tip: async () => tip,
    async propose(offers, onto = tip) {
      let at = onto;
      const merges = offers.map(({ taskId, commit: work }): Merge => {
        if (graph.contains(at, work))
          return { kind: 'merged', taskId, commit: graph.mergeOf(work, at) };
        const { tree, conflicts } = mergeOnto(at, work);
        if (conflicts.length > 0) return { kind: 'conflict', taskId, paths: conflicts };
        at = commit(tree, [at, work]);
        return { kind: 'merged', taskId, commit: at };
      });
      return { onto, tip: at, merges };
    },
    async publish({ from, to }) {
      if (from !== tip) return false;
      tip = to;
      return true;
    },
    async checkout(name, signal) {
      signal?.throwIfAborted();
      made += 1;
      const path = `/memory/checkout/${made}`;
      folders.set(path, graph.treeOf(name));
      checkouts.add(path);
      return {
        path,
        frozen: [],
        async dispose() {
          folders.delete(path);
          checkouts.delete(path);
        },
      };
    },
  };
}

const keyOf = ({ taskId, attempt }: AttemptId): string => JSON.stringify([String(taskId), attempt]);

async function factOf(path: string, text: string): Promise<FileFact> {
  const bytes = new TextEncoder().encode(text);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  const sha256 = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return { path, sha256, bytes: bytes.length };
}
