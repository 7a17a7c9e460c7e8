import type { BarrierCost } from '@atelier/engine';
import { printable } from '@atelier/envelope';
import { count } from './count.ts';
import { duration } from './when.ts';

/** Tasks named before they are only counted. */
const NAMED = 3;

/** What whole waves have cost, and the way out; nothing when that is less than 5 s or 2% of the run. */
export function barrierLines(cost: BarrierCost | undefined): string[] {
  if (!cost || !matters(cost)) return [];
  return [...heldLine(cost), ...movesLine(cost)];
}

function matters({ runMs, heldMs, moves }: BarrierCost): boolean {
  const cost = Math.max(heldMs, moves[0]?.ms ?? 0);
  return cost > 5_000 && cost > runMs / 50;
}

function heldLine({ heldMs, held, longest }: BarrierCost): string[] {
  if (!longest) return [];
  const name = printable(longest.taskId);
  return held === 1
    ? [`The barrier held the finished work of ${name} for ${duration(heldMs)}.`]
    : [
        `The barrier held finished work for ${duration(heldMs)} in all, that of ${name} the longest (${duration(longest.ms)}).`,
      ];
}

function movesLine({ movable, moves }: BarrierCost): string[] {
  if (movable === 0) return [];
  const named = moves
    .slice(0, NAMED)
    .map(({ taskId, ms }) => `${printable(taskId)} by ${duration(ms)}`);
  const rest = movable - named.length;
  const all = [...named, ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
  return [
    `${count(movable, 'task', 'tasks')} could have started earlier: ${all}. --schedule pipeline does not wait for whole waves.`,
  ];
}
