import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Git } from '../git/git.ts';
import { splitNul } from '../git/nul-list.ts';

/** A submodule of a commit. All of it is what somebody committed. */
export interface Submodule {
  /** Below the top of the commit. */
  readonly path: string;
  readonly commit: string;
  /** Absent when `.gitmodules` has none that can be the name of a folder. */
  readonly name?: string;
}

/** More than this are left empty. */
const MOST = 100;

/** Lists the submodules of a commit by its `.gitmodules`; none when it has no such file. */
export async function submodulesOf(git: Git, commit: string): Promise<Submodule[]> {
  const { stdout: found } = await git(['ls-tree', '-z', commit, '--', '.gitmodules']);
  const [, type, blob] = /^100\d{3} (blob) ([0-9a-f]+)\t/.exec(found.toString('latin1')) ?? [];
  if (type === undefined || blob === undefined) return [];
  const [{ stdout: entries }, names] = await Promise.all([
    git(['ls-tree', '-r', '-z', '--full-tree', commit]),
    namesIn(git, blob),
  ]);
  return splitNul(entries)
    .map((entry) => /^160000 commit ([0-9a-f]+)\t(.*)$/s.exec(entry.toString('utf8')))
    .flatMap((match) => (match ? [{ commit: match[1] ?? '', path: match[2] ?? '' }] : []))
    .slice(0, MOST)
    .map((one) => {
      const name = names.get(one.path);
      return name === undefined ? one : { ...one, name };
    });
}

/** The names by path. The file is config that somebody committed: it is read alone, and includes nothing. */
async function namesIn(git: Git, blob: string): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  const { stdout } = await git(['cat-file', 'blob', blob]);
  const folder = await mkdtemp(join(tmpdir(), 'atelier-gitmodules-'));
  try {
    const file = join(folder, 'gitmodules');
    await writeFile(file, stdout);
    const args = ['config', '-z', '--no-includes', '--file', file, '--get-regexp'] as const;
    const { stdout: settings } = await git([...args, '^submodule\\..*\\.path$'], {
      answers: [0, 1, 128],
    });
    for (const setting of splitNul(settings).map(String)) {
      const [, name = '', path = ''] = /^submodule\.([^\n]*)\.path\n(.*)$/s.exec(setting) ?? [];
      if (isFolderName(name)) names.set(path, name);
    }
    return names;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Git’s own rule for a name, which becomes a path in the git dir. */
const isFolderName = (name: string): boolean =>
  name !== '' && !name.includes('\0') && !/(?:^|[/\\])\.\.(?:[/\\]|$)|^[/\\]/.test(name);
