/** One guard, broken on purpose: some test must notice. */
export interface Mutant {
  readonly guard: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  /** The tests that are run against it. */
  readonly tests: readonly string[];
}
