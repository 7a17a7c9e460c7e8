interface Node {
  readonly index: number;
  /** When it was first met, from 1; 0 before that. */
  order: number;
  /** The earliest node known to be reachable from it that is still on the stack. */
  low: number;
  /** The next edge to follow. */
  cursor: number;
  component: readonly number[] | undefined;
}

/**
 * One cycle of each strongly connected component of a directed graph, given as successors by node: a shortest
 * one through the component's lowest node, starting there. Edges from a node to itself are ignored.
 * Linear and without recursion, so that depth costs memory and never the stack.
 */
export function cycles(graph: readonly (readonly number[])[]): number[][] {
  return components(graph)
    .filter((component) => component.length > 1)
    .map((component) => shortestCycle(graph, component))
    .sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0));
}

/** Tarjan's algorithm with its own stack of nodes under way. */
function components(graph: readonly (readonly number[])[]): number[][] {
  const found: number[][] = [];
  const nodes = graph.map(
    (_, index): Node => ({ index, order: 0, low: 0, cursor: 0, component: undefined }),
  );
  const open: Node[] = [];
  let clock = 0;
  for (const root of nodes) {
    const path = root.order === 0 ? [root] : [];
    for (let node = path.at(-1); node; node = path.at(-1)) {
      if (node.order === 0) {
        clock += 1;
        node.order = clock;
        node.low = clock;
        open.push(node);
      }
      const next = nodes[graph[node.index]?.[node.cursor] ?? -1];
      node.cursor += 1;
      if (next) {
        if (next.order === 0) path.push(next);
        else if (!next.component) node.low = Math.min(node.low, next.order);
        continue;
      }
      path.pop();
      const parent = path.at(-1);
      if (parent) parent.low = Math.min(parent.low, node.low);
      if (node.low === node.order) found.push(closeComponent(open, node));
    }
  }
  return found;
}

function closeComponent(open: Node[], root: Node): number[] {
  const component: number[] = [];
  for (let node = open.pop(); node; node = open.pop()) {
    node.component = component;
    component.push(node.index);
    if (node === root) break;
  }
  return component;
}

function shortestCycle(
  graph: readonly (readonly number[])[],
  component: readonly number[],
): number[] {
  const members = new Set(component);
  const start = component.reduce((a, b) => Math.min(a, b));
  const from = new Map<number, number>();
  const queue = [start];
  for (const node of queue) {
    for (const next of graph[node] ?? []) {
      if (next === start && node !== start) return walkBack(from, start, node);
      if (next === start || !members.has(next) || from.has(next)) continue;
      from.set(next, node);
      queue.push(next);
    }
  }
  return [start];
}

function walkBack(from: ReadonlyMap<number, number>, start: number, last: number): number[] {
  const cycle: number[] = [];
  for (let node = last; node !== start; node = from.get(node) ?? start) cycle.push(node);
  return [start, ...cycle.reverse()];
}
