import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { HostError } from '../host-error.ts';
import type { ReplaySource } from './merged-before.ts';

/** The files of a commit as git has them, read and never written. */
export interface CommitView {
  /** What replays are judged by, as if the commit were the tip of a run's branch. */
  readonly work: ReplaySource['work'];
  /** Files whose mode or content are others in the two commits, in their order; undefined where that can not be told. */
  changedFiles(before: string, now: string): Promise<readonly string[] | undefined>;
}

interface Entry {
  readonly mode: string;
  readonly type: string;
  readonly oid: string;
}

type Tree = ReadonlyMap<string, Entry>;

/** A clone and the commit to look at. */
export interface ViewOptions {
  /** The git dir that the worktrees of the clone share. */
  readonly commonDir: string;
  readonly commit: string;
}

const LONGEST_OUTPUT = 256 * 2 ** 20;

const run = promisify(execFile);

const gitIn =
  (commonDir: string) =>
  async (...args: readonly string[]): Promise<string> => {
    const { stdout } = await run('git', [...OPTIONS, `--git-dir=${commonDir}`, ...args], {
      ...{ encoding: 'utf8', maxBuffer: LONGEST_OUTPUT, cwd: commonDir, env: environment() },
    });
    return stdout;
  };

/** The commit that a full ref is at. Throws `RUN_BRANCH_MISSING`. */
export async function commitAt({
  commonDir,
  ref,
}: Pick<ViewOptions, 'commonDir'> & { readonly ref: string }): Promise<string> {
  try {
    return (await gitIn(commonDir)('rev-parse', '--verify', '--quiet', `${ref}^{commit}`)).trim();
  } catch {
    throw new HostError(
      'RUN_BRANCH_MISSING',
      `${ref} is gone`,
      'git reflog may still know it: restore the branch to go on, or start a new run.',
    );
  }
}

const trimmed = (text: string): string => text.trim();

/** Reads each commit that is asked about once, as a whole. */
export function commitView({ commonDir, commit }: ViewOptions): CommitView {
  const git = gitIn(commonDir);
  const known = new Map<string, Promise<Tree>>();
  const treeAt = (at: string): Promise<Tree> => {
    const read = known.get(at) ?? git('ls-tree', '-r', '-t', '-z', '--full-tree', at).then(parsed);
    known.set(at, read);
    return read;
  };
  const named = new Map<string, Promise<string>>();
  const nameOfTree = (at: string): Promise<string> => {
    const name = named.get(at) ?? git('rev-parse', '--verify', `${at}^{tree}`).then(trimmed);
    named.set(at, name);
    return name;
  };
  return {
    work: {
      tip: async () => commit,
      tree: nameOfTree,
      async objectsAt(at, paths) {
        const tree = await treeAt(at);
        return new Map(
          [...new Set(paths)].flatMap((path) => {
            const entry = tree.get(path);
            return entry ? [[path, entry] as const] : [];
          }),
        );
      },
      async hasLinks(at, folders) {
        for (const [path, { mode }] of await treeAt(at))
          if (ELSEWHERE.has(mode) && folders.some((folder) => path.startsWith(`${folder}/`)))
            return true;
        return false;
      },
      contains: (one) =>
        COMMIT.test(one)
          ? git('merge-base', '--is-ancestor', one, commit).then(
              () => true,
              () => false,
            )
          : Promise.resolve(false),
    },
    async changedFiles(before, now) {
      if (!COMMIT.test(before)) return undefined;
      const trees = await Promise.all([treeAt(before), treeAt(now)]).catch(() => undefined);
      if (!trees) return undefined;
      const [old, own] = trees;
      const changed: string[] = [];
      for (const [path, entry] of own)
        if (entry.type !== 'tree' && !isSame(old.get(path), entry)) changed.push(path);
      for (const [path, { type }] of old) if (type !== 'tree' && !own.has(path)) changed.push(path);
      return changed.sort();
    },
  };
}

const COMMIT = /^[0-9a-f]{40,64}$/u;

/** The modes of symbolic links and of submodules. */
const ELSEWHERE: ReadonlySet<string> = new Set(['120000', '160000']);

const isSame = (one: Entry | undefined, other: Entry): boolean =>
  one?.mode === other.mode && one.oid === other.oid;

const LINE = /^(\d+) (\w+) ([0-9a-f]+)\t(.*)$/su;

function parsed(listing: string): Tree {
  const tree = new Map<string, Entry>();
  for (const line of listing.split('\0')) {
    const [, mode, type, oid, path] = LINE.exec(line) ?? [];
    if (mode && type && oid && path !== undefined) tree.set(path, { mode, type, oid });
  }
  return tree;
}

const OPTIONS = ['--no-pager', '--no-replace-objects', '-c', 'protocol.allow=never'];

/** Nothing of the caller's but where programs are; no config of a person, nothing fetched, nothing locked. */
const environment = (): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
  ...{ HOME: '/nonexistent', LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0' },
  ...{ GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', GIT_OPTIONAL_LOCKS: '0' },
  ...{ GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none' },
});
