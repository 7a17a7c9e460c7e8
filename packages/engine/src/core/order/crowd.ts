/** A graph of things that are to happen one after the other. Its nodes are numbers. */
export interface OrderGraph {
  /** Adds a node that comes after all of the given ones. */
  join(after: readonly number[]): number;
}

/** Nodes for all of which somebody may have to wait. From the first who does, one node stands for them. */
export interface Crowd {
  open: number[];
  sealed: number | undefined;
}

export const crowd = (): Crowd => ({ open: [], sealed: undefined });

/** The node that comes after everybody in the crowd so far; undefined for an empty one. */
export function seal(graph: OrderGraph, one: Crowd): number | undefined {
  if (one.open.length === 0) return one.sealed;
  const all = one.sealed === undefined ? one.open : [one.sealed, ...one.open];
  one.sealed = all.length === 1 ? all[0] : graph.join(all);
  one.open = [];
  return one.sealed;
}
