import { partsOf } from '../paths.ts';
import type { Claims, Reach } from './claims.ts';
import { type Crowd, crowd, type OrderGraph, seal } from './crowd.ts';
import { undeclared } from './undeclared.ts';

/** Who comes before whom, as each claims what it reads and changes. */
export interface ClaimOrder {
  /** Takes the next claims, and gives the nodes after which they are free. Groups may only grow. */
  take(node: number, group: number, claims: Claims): ReadonlySet<number>;
}

/** What is claimed at a path, and below it. */
interface Place {
  readonly children: Map<string, Place>;
  writer: number | undefined;
  readers: Crowd;
  readersBelow: Crowd;
  writersBelow: Crowd;
}

const place = (): Place => ({
  children: new Map(),
  writer: undefined,
  readers: crowd(),
  readersBelow: crowd(),
  writersBelow: crowd(),
});

/**
 * Orders claims like a database that locks in a fixed order: of two that conflict, the one that came first goes first;
 * readers do not wait for each other. Linear in the claims and the depth of their paths: it never looks at pairs. What
 * nobody declared is ordered by groups, and never within one: there the plan itself says that they go side by side.
 */
export function claimOrder(graph: OrderGraph): ClaimOrder {
  const root = place();
  const rest = undeclared();

  return {
    take(node, group, claims) {
      const after = new Set<number>();
      const wait = (one: number | undefined) => one !== undefined && after.add(one);
      rest.enter(group);
      for (const one of rest.before(claims)) wait(seal(graph, one));
      for (const path of listed(claims.reads)) {
        const way = wayTo(root, path);
        for (const { writer } of way) wait(writer);
        wait(seal(graph, lastOf(way).writersBelow));
      }
      for (const path of listed(claims.writes)) {
        const way = wayTo(root, path);
        for (const { writer, readers } of way) {
          wait(writer);
          wait(seal(graph, readers));
        }
        wait(seal(graph, lastOf(way).readersBelow));
        wait(seal(graph, lastOf(way).writersBelow));
      }
      // Only now, so that nobody waits for itself.
      for (const path of listed(claims.reads)) {
        const way = wayTo(root, path);
        for (const above of way.slice(0, -1)) above.readersBelow.open.push(node);
        lastOf(way).readers.open.push(node);
      }
      for (const path of listed(claims.writes)) {
        const way = wayTo(root, path);
        for (const above of way.slice(0, -1)) above.writersBelow.open.push(node);
        // Whoever comes now waits for this one, which has waited for all of them.
        const here = lastOf(way);
        here.writer = node;
        here.readers = crowd();
        here.readersBelow = crowd();
        here.writersBelow = crowd();
      }
      rest.add(node, claims);
      return after;
    },
  };
}

const lastOf = (way: Way): Place => way[way.length - 1] ?? way[0];

const listed = (reach: Reach): readonly string[] => (reach === 'anything' ? [] : reach);

/** From the root to a path. */
type Way = readonly [Place, ...Place[]];

function wayTo(root: Place, path: string): Way {
  const way: [Place, ...Place[]] = [root];
  let at = root;
  for (const part of partsOf(path)) {
    let next = at.children.get(part);
    if (!next) {
      next = place();
      at.children.set(part, next);
    }
    at = next;
    way.push(at);
  }
  return way;
}
