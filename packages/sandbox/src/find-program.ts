import { accessSync, constants, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';

/** What the C library searches when PATH is not set. */
export const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin';

/** The first executable of that name on a PATH. Relative and empty entries do not count: they would follow the caller's folder. */
export function findProgram(name: string, path: string): string | undefined {
  return path
    .split(':')
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, name))
    .find(isProgram);
}

/** Whether a path leads to a file that this process may execute. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
