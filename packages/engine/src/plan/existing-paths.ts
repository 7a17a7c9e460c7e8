import type { PlanGates } from './plan-gates.ts';

interface Known {
  readonly existing: NonNullable<PlanGates['existing']>;
  readonly links?: PlanGates['links'];
}

/** Answers for files and folders what the caller knows of files alone. Folders are listed when first asked for. */
export function existingPaths(
  { existing, links = typeof existing === 'function' ? undefined : existing }: Known,
  fold: (path: string) => string,
): (path: string) => boolean {
  if (typeof existing === 'function') return existing;
  const among = (paths: ReadonlySet<string> | undefined, path: string): boolean =>
    paths !== undefined && (paths.has(path) || paths.has(fold(path)));
  let listed: ReadonlySet<string> | undefined;
  let leading: ReadonlySet<string> | undefined;
  return (path) => {
    if (existing.has(path)) return true;
    listed ??= withFolders(existing, fold);
    if (among(listed, path)) return true;
    leading ??= links === existing ? existing : new Set([...(links ?? [])].map(fold));
    for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) {
      const folder = path.slice(0, end);
      // Below a submodule, or what a symbolic link leads to.
      if (among(leading, folder)) return true;
      // From here on nothing is there: no more than is there is ever looked up.
      if (!among(listed, folder)) return false;
    }
    return false;
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
