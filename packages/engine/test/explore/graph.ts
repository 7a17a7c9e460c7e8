import type { Move } from './move.ts';

/** All points found so far, by number, each with the shortest way to it. Kept as numbers where that can be. */
export interface Graph {
  readonly size: number;
  readonly transitions: number;
  /** The number of a point, and whether it is new; a new one is reached from `from` by the move. */
  reach(identity: string, way: Way): { readonly point: number; readonly isNew: boolean };
  /** The labels of the moves that lead to a point. */
  pathTo(point: number): string[];
  /** The numbers of the facts that lead to a point. */
  factsTo(point: number): number[];
  /** Calls back with every move from one point to another. */
  eachMove(visit: (from: number, to: number, move: Taken) => void): void;
}

/** What is kept of a move. */
type Taken = Pick<Move, 'label' | 'unsure'>;

export interface Way {
  readonly from: number;
  readonly move: Taken;
  readonly facts: readonly number[];
}

export function graph(): Graph {
  const points = new Map<string, number>();
  const taken: Taken[] = [];
  const numbers = new Map<string, number>();
  const parents: number[] = [];
  const moves: number[] = [];
  const facts: (readonly number[])[] = [];
  const edges: number[] = [];
  const numberOf = ({ label, unsure }: Taken): number => {
    const known = numbers.get(label);
    if (known !== undefined) return known;
    numbers.set(label, taken.length);
    return taken.push(unsure ? { label, unsure } : { label }) - 1;
  };
  const takenAt = (number: number | undefined): Taken => taken[number ?? -1] ?? { label: '?' };
  const wayTo = (point: number): number[] => {
    const way: number[] = [];
    for (let at = point; at >= 0; at = parents[at] ?? -1) way.push(at);
    return way.reverse();
  };
  return {
    get size() {
      return parents.length;
    },
    get transitions() {
      return edges.length / 3;
    },
    reach(identity, way) {
      const known = points.get(identity);
      const point = known ?? parents.length;
      const move = numberOf(way.move);
      if (way.from >= 0) edges.push(way.from, point, move);
      if (known !== undefined) return { point, isNew: false };
      points.set(identity, point);
      parents.push(way.from);
      moves.push(move);
      facts.push(way.facts);
      return { point, isNew: true };
    },
    pathTo: (point) => wayTo(point).map((at) => takenAt(moves[at]).label),
    factsTo: (point) => wayTo(point).flatMap((at) => facts[at] ?? []),
    eachMove(visit) {
      for (let at = 0; at < edges.length; at += 3)
        visit(edges[at] ?? 0, edges[at + 1] ?? 0, takenAt(edges[at + 2]));
    },
  };
}
