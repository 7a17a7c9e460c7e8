import { type Document, isAlias, isNode, type Node, visit } from 'yaml';

/**
 * Whether a document has more than `limit` aliases once all are written out: one counts with those in what it stands for.
 * Linear in the document, and says so as soon as it is known.
 */
export function repeatsMore(document: Document, limit: number): boolean {
  /** What each anchor stands for from here on: it may be set anew. */
  const anchored = new Map<string, Node>();
  /** Aliases inside of it so far. */
  const inside = new Map<unknown, number>();
  let all = 0;
  visit(document, {
    Node(_, node, path) {
      if (isAlias(node)) {
        const target = anchored.get(node.source);
        const more = 1 + (inside.get(target) ?? 0);
        all += more;
        for (const around of path)
          if (isNode(around) && 'anchor' in around)
            inside.set(around, (inside.get(around) ?? 0) + more);
        return all > limit ? visit.BREAK : undefined;
      }
      if (node.anchor !== undefined) anchored.set(node.anchor, node);
      return undefined;
    },
  });
  return all > limit;
}
