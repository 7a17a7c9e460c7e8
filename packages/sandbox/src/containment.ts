/** Whether `path` is the folder or lies below it. Both are absolute and free of `..` and symlinks. */
export const contains = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);

/** Whether one of the two contains the other. */
export const overlap = (one: string, other: string): boolean =>
  contains(one, other) || contains(other, one);

/** Without what another member of the list already contains; parents come before what is left beside them. */
export const outermost = (paths: readonly string[]): readonly string[] =>
  [...new Set(paths)]
    .sort()
    .filter((path, _, all) => !all.some((other) => other !== path && contains(other, path)));
