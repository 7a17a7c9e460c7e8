import type { BarrierCost, TaskId } from '@atelier/engine';

interface WaitRecord {
  readonly task_id: TaskId;
  readonly ms: number;
}

/** What whole waves have cost a run, in milliseconds. Wire format: the keys are documented. */
export interface BarrierRecord {
  readonly run_ms: number;
  readonly held_ms: number;
  readonly held: number;
  readonly longest?: WaitRecord;
  readonly movable: number;
  readonly moves: readonly WaitRecord[];
}

export const barrierRecord = ({
  runMs,
  heldMs,
  held,
  longest,
  movable,
  moves,
}: BarrierCost): BarrierRecord => ({
  ...{ run_ms: runMs, held_ms: heldMs, held },
  ...(longest ? { longest: waitRecord(longest) } : {}),
  ...{ movable, moves: moves.map(waitRecord) },
});

const waitRecord = ({ taskId, ms }: BarrierCost['moves'][number]): WaitRecord => ({
  task_id: taskId,
  ms,
});
