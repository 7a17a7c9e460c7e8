import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cycles } from './cycles.ts';

test('a graph without cycles has none', () => {
  expect(cycles([])).toEqual([]);
  expect(cycles([[1, 2], [2], []])).toEqual([]);
});

test('an edge to itself is not counted', () => {
  expect(cycles([[0]])).toEqual([]);
});

test('each component gives one cycle, the shortest through its lowest node', () => {
  expect(cycles([[1], [2], [0, 1], [5], [3], [4, 3]])).toEqual([
    [0, 1, 2],
    [3, 5],
  ]);
});

const graphs = fc.integer({ min: 1, max: 9 }).chain((size) =>
  fc.array(fc.array(fc.nat({ max: size - 1 }), { maxLength: 3 }), {
    minLength: size,
    maxLength: size,
  }),
);

/** Warshall's closure: who reaches whom. */
function reachable(graph: readonly (readonly number[])[]): boolean[][] {
  const reach = graph.map((next) => graph.map((_, to) => next.includes(to)));
  for (const via of reach.keys()) {
    for (const row of reach) {
      if (row[via]) for (const to of reach.keys()) row[to] ||= reach[via]?.[to] ?? false;
    }
  }
  return reach;
}

test('every knot is found, and every cycle is one', () => {
  fc.assert(
    fc.property(graphs, (graph) => {
      const found = cycles(graph);
      for (const cycle of found) {
        expect(new Set(cycle).size).toBe(cycle.length);
        for (const [place, node] of cycle.entries()) {
          expect(graph[node]).toContain(cycle[(place + 1) % cycle.length]);
        }
      }
      const reach = reachable(graph);
      const knots = new Set(
        graph.flatMap((_, a) => {
          const members = graph.flatMap((__, b) =>
            a === b || (reach[a]?.[b] && reach[b]?.[a]) ? [b] : [],
          );
          return members.length > 1 ? [Math.min(...members)] : [];
        }),
      );
      expect(found.map(([first]) => first)).toEqual([...knots].sort((a, b) => a - b));
    }),
    { numRuns: 2000 },
  );
});
