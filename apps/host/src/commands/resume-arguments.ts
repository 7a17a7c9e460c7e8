import { parseRunArguments, type RunArguments } from './run-arguments.ts';

export interface ResumeArguments extends RunArguments {
  /** Nothing is to be done, only told. */
  readonly dryRun: boolean;
}

const DRY_RUN = '--dry-run';

/** Throws a `UsageError` for anything that the command does not know. */
export const parseResumeArguments = (args: readonly string[]): ResumeArguments => ({
  // No option takes a value that begins with dashes, so that this one means itself wherever it stands.
  ...parseRunArguments(
    'resume',
    args.filter((arg) => arg !== DRY_RUN),
  ),
  dryRun: args.includes(DRY_RUN),
});
