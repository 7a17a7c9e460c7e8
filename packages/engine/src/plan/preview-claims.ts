import type { Reach } from '../core/order/claims.ts';
import { partsOf } from '../core/paths.ts';

/** Who claims a path, and the place of its wave. */
interface Claimant {
  readonly key: string;
  readonly wave: number;
}

/** Who claims what is at a path, in it, or around it. Waves may only grow. */
export interface ClaimIndex {
  add(reach: Reach, by: Claimant): void;
  /** The one of the latest wave whose claim meets this one; never `key` itself. */
  find(reach: Reach, key?: string): Claimant | undefined;
}

/** The last two claimants are enough to name one that is somebody else. */
interface Lately {
  last?: Claimant;
  other?: Claimant;
}

interface Place {
  readonly children: Map<string, Place>;
  readonly here: Lately;
  readonly below: Lately;
}

const place = (): Place => ({ children: new Map(), here: {}, below: {} });

/** Linear in the claims and the depth of their paths. */
export function claimIndex(): ClaimIndex {
  const root = place();
  return {
    add(reach, by) {
      for (const path of pathsOf(reach)) {
        let at = root;
        for (const part of partsOf(path)) {
          note(at.below, by);
          const next = at.children.get(part) ?? place();
          at.children.set(part, next);
          at = next;
        }
        note(at.here, by);
      }
    },
    find(reach, key) {
      let found: Claimant | undefined;
      const look = (lately: Lately) => {
        const one = lately.last?.key === key ? lately.other : lately.last;
        if (one && one.wave > (found?.wave ?? -1)) found = one;
      };
      for (const path of pathsOf(reach)) {
        let at: Place | undefined = root;
        look(at.here);
        for (const part of partsOf(path)) {
          at = at.children.get(part);
          if (!at) break;
          look(at.here);
        }
        if (at) look(at.below);
      }
      return found;
    },
  };
}

function note(lately: Lately, by: Claimant): void {
  if (lately.last && lately.last.key !== by.key) lately.other = lately.last;
  lately.last = by;
}

/** The empty path is the whole repository. */
const pathsOf = (reach: Reach): readonly string[] => (reach === 'anything' ? [''] : reach);
