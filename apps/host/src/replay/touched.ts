import { type Task, taskKey } from '@atelier/engine';
import { placesWritten } from './read-paths.ts';

/** What tasks that are to be done may change, by the first that may. */
export interface Touched {
  add(task: Task): void;
  /** A task that may change one of the paths; of all there are where none are given. */
  before(paths: readonly string[] | undefined): string | undefined;
}

export function touched(): Touched {
  /** By what is written, and by every folder around it. */
  const written = new Map<string, string>();
  const around = new Map<string, string>();
  let anything: string | undefined;
  let first: string | undefined;
  return {
    add(task) {
      const key = taskKey(task.id);
      const { writes } = task;
      if (task.reviews !== undefined && task.reviews !== null) return;
      if (writes && writes.length === 0) return;
      first ??= key;
      if (!writes) anything ??= key;
      for (const path of placesWritten(task)) {
        if (path === '') anything ??= key;
        else if (!written.has(path)) written.set(path, key);
        for (const folder of foldersOf(path)) if (!around.has(folder)) around.set(folder, key);
      }
    },
    before(paths) {
      if (paths === undefined) return first;
      if (anything !== undefined && paths.length > 0) return anything;
      for (const path of paths) {
        for (const folder of [path, ...foldersOf(path)]) {
          const by = written.get(folder);
          if (by !== undefined) return by;
        }
        const by = around.get(path);
        if (by !== undefined) return by;
      }
      return undefined;
    },
  };
}

const foldersOf = (path: string): string[] => {
  const parts = path.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
};
