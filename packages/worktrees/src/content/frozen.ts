import { lstat, realpath } from 'node:fs/promises';

const SLASH = '/'.charCodeAt(0);

/** Tells whether an absolute path, in bytes, is one of the frozen ones or below one. */
export function isFrozen(frozen: readonly string[]): (path: Buffer) => boolean {
  const roots = frozen.map((path) => Buffer.from(path));
  return (path) =>
    roots.some(
      (root) =>
        path.length >= root.length &&
        path.subarray(0, root.length).equals(root) &&
        (path.length === root.length || path[root.length] === SLASH),
    );
}

/** Which file or folder each path is: a path that is another one later was moved, whatever lies there now. */
export const identitiesOf = (paths: readonly string[]): Promise<string[]> =>
  Promise.all(
    paths.map((path) =>
      Promise.all([lstat(path, { bigint: true }), realpath(path)]).then(
        ([{ dev, ino }, real]) => `${dev}:${ino}:${real}`,
        () => '',
      ),
    ),
  );

/** Those of the paths that are not what they were. What was linked into them could be written where it is now. */
export async function displacedOf(
  paths: readonly string[],
  identities: readonly string[],
): Promise<string[]> {
  const now = await identitiesOf(paths);
  return paths.filter((_, at) => now[at] !== identities[at]);
}
