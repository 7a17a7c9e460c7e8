import type { PlanGates } from './plan-gates.ts';

/** Answers for files and folders what the caller knows of files alone. Folders are listed when first asked for. */
export function existingPaths(
  existing: NonNullable<PlanGates['existing']>,
  fold: (path: string) => string,
): (path: string) => boolean {
  if (typeof existing === 'function') return existing;
  let listed: ReadonlySet<string> | undefined;
  return (path) => {
    // Below something that git lists: a submodule, or what a symbolic link leads to.
    if (existing.has(path) || foldersOf(path).some((folder) => existing.has(folder))) return true;
    listed ??= withFolders(existing, fold);
    return listed.has(path) || listed.has(fold(path));
  };
}

function withFolders(
  existing: ReadonlySet<string>,
  fold: (path: string) => string,
): ReadonlySet<string> {
  const listed = new Set<string>();
  for (const file of existing) {
    const path = isComposed(file) ? fold(file) : file;
    listed.add(path);
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, end);
      if (listed.has(folder)) break;
      listed.add(folder);
    }
  }
  return listed;
}

/** A name that is stored in another form is another name to git: composing it would find what is not there. */
const isComposed = (path: string): boolean => path.normalize('NFC') === path;

function foldersOf(path: string): string[] {
  const folders: string[] = [];
  for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1))
    folders.push(path.slice(0, end));
  return folders;
}
