/** Where one kill of a host falls. */
export type KillPoint =
  /** From outside, this part of an uninterrupted run's duration after the host was ready. */
  | { readonly kind: 'instant'; readonly fraction: number }
  /** By the host itself, around the append that brings the nth event of the run with this label, or a later one. */
  | {
      readonly kind: 'append';
      readonly label: string;
      readonly nth: number;
      readonly side: 'before' | 'after';
    }
  /** By the host itself, right before or right after it starts its nth process of a kind. */
  | {
      readonly kind: 'spawn';
      readonly of: Spawned;
      readonly nth: number;
      readonly side: 'before' | 'after';
    }
  /** By the host itself, when it has read how its nth worker ended and told nobody. */
  | { readonly kind: 'report'; readonly nth: number };

/** A worker, a command of the plan, or a git command of the host, which lives on and finishes. */
export type Spawned = 'worker' | 'command' | 'git';

/** One text per point, the same in every session. */
export function nameOf(point: KillPoint): string {
  switch (point.kind) {
    case 'instant':
      return `instant ${point.fraction.toFixed(4)}`;
    case 'append':
      return `append ${point.label} ${point.nth} ${point.side}`;
    case 'spawn':
      return `spawn ${point.of} ${point.nth} ${point.side}`;
    case 'report':
      return `report ${point.nth}`;
  }
}
