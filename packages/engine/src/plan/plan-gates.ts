import type { PlanCaps } from './caps.ts';

/** What a plan is checked against beside itself. A gate whose facts are absent is not asked. */
export interface PlanGates {
  /**
   * What the commit that the plan starts from holds: its files as git lists them, folders being understood, or a
   * function that is true for files and for folders and does not throw. Absent: nobody asks whether a read is there.
   */
  readonly existing?: ReadonlySet<string> | ((path: string) => boolean) | undefined;
  /**
   * The symbolic links and submodules among the files of `existing`: what is below them is taken on trust. Absent: any
   * file may be one.
   */
  readonly links?: ReadonlySet<string> | undefined;
  /** The workers there are, by name. Absent: any name will do. */
  readonly personas?: ReadonlySet<string> | undefined;
  /** Paths that differ in case alone are one, as on file systems of macOS and Windows. */
  readonly foldCase?: boolean | undefined;
  /** Replaces single caps, up or down. */
  readonly caps?: Partial<PlanCaps> | undefined;
}
