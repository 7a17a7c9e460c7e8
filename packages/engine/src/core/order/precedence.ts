import { claimOrder } from './claim-order.ts';
import type { Claims } from './claims.ts';

/** What starts and ends together: a task, and whoever reviews it. */
export interface Unit {
  readonly members: readonly string[];
  /** Whose end its start waits for, beside those with whom its claims conflict. */
  readonly upstreams: readonly string[];
  readonly group: number;
  readonly claims: Claims;
}

/** Who waits for whom, and for how many still. Numbers are places: of units, then of nodes that stand for many. */
export interface Precedence {
  readonly units: readonly Unit[];
  readonly unitOf: ReadonlyMap<string, number>;
  readonly next: readonly (readonly number[])[];
  readonly waits: number[];
  /** How many members of each unit have not ended. */
  readonly left: number[];
}

/**
 * The order of units that are given by group: each waits for its upstreams, and for every earlier one with which it
 * conflicts, so that what runs side by side is independent and nobody overtakes a task whose files it touches. It has
 * no cycle, since nobody waits for a later one. Linear in tasks, edges and claims.
 */
export function precedence(units: readonly Unit[]): Precedence {
  const waits: number[] = units.map(() => 0);
  const next: number[][] = units.map(() => []);
  const unitOf = new Map<string, number>();
  for (const [unit, { members }] of units.entries())
    for (const key of members) unitOf.set(key, unit);
  const after = (node: number, before: Iterable<number>) => {
    let count = 0;
    for (const one of before) {
      next[one]?.push(node);
      count += 1;
    }
    waits[node] = count;
  };
  const order = claimOrder({
    join(before) {
      const node = next.push([]) - 1;
      after(node, before);
      return node;
    },
  });
  for (const [unit, { upstreams, group, claims }] of units.entries()) {
    const before = new Set(order.take(unit, group, claims));
    for (const key of upstreams) {
      const upstream = unitOf.get(key);
      // Rows that have ended may lead anywhere; nobody waits for a later one.
      if (upstream !== undefined && upstream < unit) before.add(upstream);
    }
    after(unit, before);
  }
  return { units, unitOf, next, waits, left: units.map(({ members }) => members.length) };
}

/** Whether a task waits for nobody any more. */
export const isFree = ({ unitOf, waits }: Precedence, key: string): boolean =>
  waits[unitOf.get(key) ?? -1] === 0;

/** Notes that a task has ended, once. Gives the tasks that wait for nobody from now on, in their order. */
export function endIn({ units, unitOf, next, waits, left }: Precedence, key: string): string[] {
  const unit = unitOf.get(key);
  if (unit === undefined) return [];
  left[unit] = (left[unit] ?? 0) - 1;
  if (left[unit] !== 0) return [];
  const free: number[] = [];
  const ended = [unit];
  for (let node = ended.pop(); node !== undefined; node = ended.pop()) {
    for (const one of next[node] ?? []) {
      waits[one] = (waits[one] ?? 0) - 1;
      if (waits[one] !== 0) continue;
      if (one < units.length) free.push(one);
      else ended.push(one);
    }
  }
  return free.sort((a, b) => a - b).flatMap((one) => units[one]?.members ?? []);
}
