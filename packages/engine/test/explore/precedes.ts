import type { Task } from '../../src/index.ts';

interface Plan {
  readonly tasks: readonly Task[];
  /** Who needs whom, upstream first. */
  readonly pairs: readonly (readonly [string, string])[];
  readonly groupOf: (id: string) => number;
  readonly authorOf: ReadonlyMap<string, string>;
}

/**
 * Whether one task has to end before another starts, when there are no barriers. The slow way, by the words of the rule
 * and not by the engine's: only for plans whose paths do not lie within each other, with ids in the order of their rows.
 */
export function precedes(first: string, second: string, plan: Plan): boolean {
  const { pairs, authorOf, groupOf, tasks } = plan;
  const own = (id: string) => authorOf.get(id) ?? id;
  const [before, after] = [own(first), own(second)];
  if (before === after) return false;
  const isOf = (id: string) => (one: string) => own(one) === id;
  if (pairs.some(([up, down]) => isOf(before)(up) && isOf(after)(down))) return true;
  const [place, place2] = [before, after].map((id) => tasks.findIndex((one) => `${one.id}` === id));
  const [one, other] = [tasks[place ?? -1], tasks[place2 ?? -1]];
  if (!one || !other) return false;
  const isBeside = groupOf(before) === groupOf(after);
  if (groupOf(before) > groupOf(after) || (isBeside && Number(place) > Number(place2)))
    return false;
  // In one group, only what is declared keeps two tasks apart.
  const meet = (a: Task['reads'], b: Task['reads']) =>
    a && b
      ? a.some((path) => b.includes(path))
      : !isBeside && (a ?? ['?']).length > 0 && (b ?? ['?']).length > 0;
  return (
    meet(one.writes, other.writes) || meet(one.writes, other.reads) || meet(one.reads, other.writes)
  );
}
