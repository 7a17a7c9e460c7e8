/** What the store refuses or can not do. Told apart by `code`, never by `instanceof`. */
export class StoreError extends Error {
  override readonly name: string = 'StoreError';
  /** Stable, upper snake case. */
  readonly code: string;
  /** What the caller can do about it. */
  readonly hint: string;

  constructor(code: string, message: string, hint: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.hint = hint;
  }
}

/** A change that names a row which the store does not have: `STORE_NO_SUCH_TASK` and its like. */
export const noSuchRow = (
  what: 'run' | 'task' | 'attempt' | 'escalation',
  runId: string,
  name: string,
): StoreError =>
  new StoreError(
    `STORE_NO_SUCH_${what.toUpperCase()}`,
    `run ${runId} has no ${what} ${name}`,
    'Compare the name with the rows of this run; the event log and its tables are of one plan.',
  );
