import type { Passed } from './host-order.ts';
import type { KillPoint } from './kill-point.ts';

/** Both sides of every boundary that a host came by, in their order. */
export function boundariesOf(passed: readonly Passed[]): KillPoint[] {
  const counts = new Map<string, number>();
  const nthOf = (name: string) => {
    const nth = (counts.get(name) ?? 0) + 1;
    counts.set(name, nth);
    return nth;
  };
  return passed.flatMap((one): KillPoint[] => {
    if (one.kind === 'report') return [{ kind: 'report', nth: nthOf('report') }];
    if (one.kind === 'append')
      return one.labels.flatMap((label) => {
        const nth = nthOf(label);
        return SIDES.map((side): KillPoint => ({ kind: 'append', label, nth, side }));
      });
    const { of } = one;
    const nth = nthOf(of);
    return SIDES.map((side): KillPoint => ({ kind: 'spawn', of, nth, side }));
  });
}

const SIDES = ['before', 'after'] as const;
