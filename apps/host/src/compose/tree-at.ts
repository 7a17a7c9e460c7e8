import { askGit } from './ask-git.ts';

/** The files of a commit, each as a path from the root of the clone, and those of them that lead elsewhere. */
export interface FilesOfCommit {
  readonly files: ReadonlySet<string>;
  /** Symbolic links and submodules. */
  readonly links: ReadonlySet<string>;
}

/** What a commit of the clone that `dir` is in holds; undefined where that can not be told. */
export async function treeAt(dir: string, commit: string): Promise<FilesOfCommit | undefined> {
  const listing = await askGit(dir, ['ls-tree', '-r', '-z', '--full-tree', commit, '--']);
  if (listing === undefined) return undefined;
  const lines = listing.split('\0').filter((line) => line !== '');
  return {
    files: new Set(lines.map(pathIn)),
    links: new Set(lines.filter((line) => ELSEWHERE.test(line)).map(pathIn)),
  };
}

/** The modes of symbolic links and of submodules. */
const ELSEWHERE = /^1[26]0000 /u;

const pathIn = (line: string): string => line.slice(line.indexOf('\t') + 1);
