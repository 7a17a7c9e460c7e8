import { readPlaces, writtenPlaces } from '../places.ts';
import type { Task } from '../task.ts';
import { outermost, touchAny } from './outermost.ts';

/** Files and folders, or whatever there is. */
export type Reach = readonly string[] | 'anything';

/** What a task may read, and what it may change. */
export interface Claims {
  readonly reads: Reach;
  readonly writes: Reach;
}

/**
 * What a task has said of itself, in places as they are compared: a pattern of `writes` reaches whatever is in the
 * folder before its first wildcard. What it has not said counts as anything, so that a missing declaration never makes
 * two tasks look independent. A paired reviewer looks at its author's work and changes nothing.
 */
export function claimsOf(task: Task, { isPaired = false }: { isPaired?: boolean } = {}): Claims {
  return {
    reads: task.reads ? [...new Set(readPlaces(task))] : isPaired ? [] : 'anything',
    writes: isPaired ? [] : task.writes ? [...new Set(writtenPlaces(task))] : 'anything',
  };
}

/** What a task claims together with those who are paired to review it: they run inside it. */
export function jointClaims(author: Task, reviewers: readonly Task[]): Claims {
  const { reads, writes } = claimsOf(author);
  if (reads === 'anything' || reviewers.length === 0) return { reads, writes };
  const more = reviewers.flatMap((one) => [...readPlaces(one)]);
  return { reads: [...new Set([...reads, ...more])], writes };
}

/** Whether one of them may change what the other reads or changes. */
export const conflict = (a: Claims, b: Claims): boolean =>
  meet(a.writes, b.writes) || meet(a.writes, b.reads) || meet(a.reads, b.writes);

function meet(a: Reach, b: Reach): boolean {
  if (a === 'anything') return b === 'anything' || b.length > 0;
  if (b === 'anything') return a.length > 0;
  return touchAny(outermost(a), outermost(b));
}
