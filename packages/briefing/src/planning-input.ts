import type { HandIn } from './briefing-input.ts';

/** A key of a task, as the schema of the format has it. The host's own words. */
export interface PlanKey {
  readonly name: string;
  /** In a line. */
  readonly meaning: string;
  readonly required: boolean;
}

/** What the briefing of a planner is made of. Every text in it is foreign and goes into a fence, but for `keys`. */
export interface PlanningInput {
  /** What a proposed task may have, in the order in which it is told. */
  readonly keys: readonly PlanKey[];
  /** What the plan is for, in a person's words. */
  readonly goal: string;
  /** The files of the commit that work starts from, in any order. */
  readonly files: readonly string[];
  /** Who tasks may be assigned to. Absent: anybody. */
  readonly personas?: readonly string[];
  /** Attempts that may run at once. */
  readonly maxWorkers: number;
  /** How a reply names its attempt. */
  readonly taskId: string;
  readonly attempt: number;
  /** How long the attempt may take. Absent: it is not told. */
  readonly wallClockMs?: number;
  readonly handIn: HandIn;
  /** The proposal before this one, and all that is wrong with it. */
  readonly refused?: {
    readonly text: string;
    readonly issues: readonly {
      readonly path: string;
      readonly message: string;
      readonly fix: string;
    }[];
  };
}
