import type { Claims } from './claims.ts';
import { type Crowd, crowd } from './crowd.ts';

/** Who has to wait for what nobody declared, and who because of it. */
export interface Undeclared {
  /** Tells that the next claims are of this group. Groups may only grow. */
  enter(group: number): void;
  /** The crowds of earlier groups after which these claims are free. */
  before(claims: Claims): readonly Crowd[];
  add(node: number, claims: Claims): void;
}

/**
 * Holds to the barrier what may read or change anything: it is seen from the next group on, because within a group the
 * plan itself says that tasks go side by side.
 */
export function undeclared(): Undeclared {
  const writers = crowd();
  const claimants = crowd();
  const undeclaring = crowd();
  const writersOfAnything = crowd();
  let current: number | undefined;
  let fresh: { readonly crowd: Crowd; readonly node: number }[] = [];
  return {
    enter(group) {
      if (group === current) return;
      current = group;
      for (const { crowd, node } of fresh) crowd.open.push(node);
      fresh = [];
    },
    before: ({ reads, writes }) => {
      if (writes === 'anything') return [claimants];
      return [
        ...(reads === 'anything' ? [writers] : []),
        ...(writes.length > 0 ? [undeclaring] : []),
        ...(reads.length > 0 ? [writersOfAnything] : []),
      ];
    },
    add(node, { reads, writes }) {
      const join = (crowd: Crowd) => fresh.push({ crowd, node });
      if (writes.length > 0) join(writers);
      if (writes.length > 0 || reads.length > 0) join(claimants);
      if (reads === 'anything' || writes === 'anything') join(undeclaring);
      if (writes === 'anything') join(writersOfAnything);
    },
  };
}
