import type { Policy, Task } from '../../src/index.ts';
import type { EndingName } from './endings.ts';

/** A plan small enough to walk through whole, and what may happen in it. */
export interface SmallPlan {
  readonly name: string;
  readonly tasks: readonly Task[];
  readonly policy: Pick<Policy, 'maxWorkers' | 'onHeld' | 'schedule'> & {
    readonly maxAttempts?: number;
  };
  /** Accepted work waits for an integration. */
  readonly integrates: boolean;
  /** How attempts may end. */
  readonly endings: readonly EndingName[];
  /** What else may happen; crashes always do. */
  readonly also: ReadonlySet<'steps' | 'parks' | 'interrupts' | 'deliveries' | 'replays'>;
  /** Two states also differ by how their tasks came to where they are. */
  readonly tellsHistories?: true;
}

/** The rows of a plan, in short: the group, and whatever else the row has. */
export function rows(
  plan: Readonly<Record<string, Omit<Task, 'id'> & { readonly parallel_group: number }>>,
): Task[] {
  return Object.entries(plan).map(([id, row]) => ({
    id,
    created_at: '2026-01-01T00:00:00Z',
    assigned_persona: `persona of ${id}`,
    ...row,
  }));
}
