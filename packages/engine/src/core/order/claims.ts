import { plainPaths } from '../edges.ts';
import type { Task } from '../task.ts';

/** Files and folders, or whatever there is. */
export type Reach = readonly string[] | 'anything';

/** What a task may read, and what it may change. */
export interface Claims {
  readonly reads: Reach;
  readonly writes: Reach;
}

/**
 * What a task has said of itself. What it has not said counts as anything, so that a missing declaration never makes
 * two tasks look independent. A paired reviewer looks at its author's work and changes nothing.
 */
export function claimsOf(task: Task, { isPaired = false }: { isPaired?: boolean } = {}): Claims {
  const { reads, writes, must_produce } = task;
  return {
    reads: reads ? reached(reads) : isPaired ? [] : 'anything',
    writes: isPaired ? [] : writes ? reached([...writes, ...(must_produce ?? [])]) : 'anything',
  };
}

/** Whether one of them may change what the other reads or changes. */
export const conflict = (a: Claims, b: Claims): boolean =>
  meet(a.writes, b.writes) || meet(a.writes, b.reads) || meet(a.reads, b.writes);

function meet(a: Reach, b: Reach): boolean {
  if (a === 'anything') return b === 'anything' || b.length > 0;
  if (b === 'anything') return a.length > 0;
  return a.some((path) => b.some((other) => pathsOverlap(path, other)));
}

/** Whether one is the other, or a folder around it. Both in the spelling of {@link claimsOf}. */
export const pathsOverlap = (a: string, b: string): boolean =>
  a === b || a === '' || b === '' || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);

const WILD = /[*?[\]{}()!+@|\\]/u;

/** A pattern reaches whatever is in the folder before its first wild part; the empty path is the whole repository. */
function reached(paths: readonly string[]): string[] {
  const all = new Set<string>();
  for (const path of plainPaths(paths)) {
    const parts = path.split('/');
    const wild = parts.findIndex((part) => WILD.test(part));
    // Some file systems tell neither case nor composition apart.
    all.add((wild < 0 ? path : parts.slice(0, wild).join('/')).normalize('NFC').toLowerCase());
  }
  return [...all];
}
